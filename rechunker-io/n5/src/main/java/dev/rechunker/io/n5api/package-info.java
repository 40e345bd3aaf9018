/**
 * Live objects of the N5 API, {@code N5Reader} and {@code N5Writer}, as sources and targets: whatever container is
 * behind them.
 *
 * <p>Open {@link dev.rechunker.io.n5api.N5Arrays} first. n5 counts axes from the fastest, x first: its axis {@code d}
 * is axis {@code n - 1 - d} here. Elements lie in the same order either way, so none has to move for it. This room
 * turns axes round where it speaks to n5; shapes, chunks and specs behind the door are in C order.
 *
 * <p>A {@code Dialect} is what differs between the containers: N5, Zarr 2, Zarr 3, and all others, of which HDF5 is
 * one. Its classes for Zarr are loaded only when an object of n5-zarr is there.
 *
 * <p>n5 makes the arrays of its blocks itself. They are not of our buffers, but reserved before n5 is asked for them:
 * the traits say how much one call holds at most. Imports the core, {@code json}, and the doors of {@code n5} and
 * {@code zarr} for containers on this machine, n5 and Gson, which n5 speaks.
 */
@NullMarked
package dev.rechunker.io.n5api;

import org.jspecify.annotations.NullMarked;
