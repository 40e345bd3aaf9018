/**
 * One {@code main} per way of using the library, each to be read from top to bottom. Start with
 * {@link dev.rechunker.examples.CopyZarr}; {@link dev.rechunker.examples.Quickstart} needs no data of yours, and
 * {@link dev.rechunker.examples.MakeScan} makes some. {@link dev.rechunker.examples.PlainStore} is a store of your own,
 * {@link dev.rechunker.examples.ServiceExecutor} an executor. What is for Fiji is in
 * {@code dev.rechunker.examples.fiji}.
 */
@NullMarked
package dev.rechunker.examples;

import org.jspecify.annotations.NullMarked;
