/**
 * Reads and writes N5. Open {@link dev.rechunker.io.n5.N5} first.
 *
 * <p>N5 counts axes from the fastest, x first; a spec counts them in C order. The order is reversed in three classes:
 * {@code N5Metadata} for documents, {@code BlockHeader} for blocks, {@code N5Array} for keys. The order of elements in
 * memory is the same in both: x, the last axis in C order, varies fastest. Elements are big-endian.
 *
 * <p>{@code N5Metadata} and {@code N5Codecs} convert between {@code attributes.json} and an {@code ArraySpec},
 * {@code N5Tree} finds nodes, and {@code N5Store} combines them. Unknown features of documents and blocks are refused
 * with their names. An array is written in this order: a note that it is unfinished, blocks, {@code attributes.json},
 * removal of the note.
 *
 * <p>Sources: the N5 specification 4.0.0, and files that n5, n5-zstandard, n5-blosc and zarr-python write. This package
 * imports {@code array}, {@code copy}, {@code geometry}, {@code resource} and {@code store} of the core, and the
 * packages {@code bytes}, {@code codec}, {@code json} and {@code tree}.
 */
@NullMarked
package dev.rechunker.io.n5;

import org.jspecify.annotations.NullMarked;
