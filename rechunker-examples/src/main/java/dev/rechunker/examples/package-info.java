/**
 * Examples, with one {@code main} for each way of using the library. Start with
 * {@link dev.rechunker.examples.CopyZarr}. {@link dev.rechunker.examples.Quickstart} makes its own data.
 * {@link dev.rechunker.examples.PlainStore} implements a store, and {@link dev.rechunker.examples.ServiceExecutor} an
 * executor. The examples for Fiji are in {@code dev.rechunker.examples.fiji}.
 */
@NullMarked
package dev.rechunker.examples;

import org.jspecify.annotations.NullMarked;
