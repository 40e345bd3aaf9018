/**
 * Uses live objects of the N5 API, {@code N5Reader} and {@code N5Writer} of any container, as sources and targets. Open
 * {@link dev.rechunker.io.n5api.N5Arrays} first.
 *
 * <p>n5 lists axes with the fastest first, this library with the slowest first: axis {@code d} of n5 is axis {@code n -
 * 1 - d} here. The order of the elements is the same, so none is moved. Lists of extents are reversed in each call of
 * n5; everything else in this package is in C order.
 *
 * <p>A {@code Dialect} contains what differs between containers: N5, Zarr 2, Zarr 3, and all others, such as HDF5. The
 * classes for Zarr are loaded only if the container is an object of n5-zarr.
 *
 * <p>n5 allocates the arrays of its blocks itself, outside of the buffers of a run. Their memory is reserved before n5
 * is called; {@code N5Memory} computes it. This package imports the API of the core, {@code json}, and {@code n5} and
 * {@code zarr} for containers in local directories.
 */
@NullMarked
package dev.rechunker.io.n5api;

import org.jspecify.annotations.NullMarked;
