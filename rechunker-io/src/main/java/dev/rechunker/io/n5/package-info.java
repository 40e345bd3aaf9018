/**
 * N5, reading and writing: open {@link dev.rechunker.io.n5.N5} first.
 *
 * <p>N5 counts axes from the fastest, x first; a spec counts them in C order. This room turns the order round at one
 * place each: {@code N5Metadata} for documents, {@code BlockHeader} for blocks, {@code N5Array} for keys. Elements are
 * the same in both: x varies fastest, which in C order is the last axis; they are big-endian.
 *
 * <p>{@code N5Metadata} and {@code N5Codecs} translate between {@code attributes.json} and an {@code ArraySpec};
 * {@code N5Tree} finds nodes; {@code N5Store} puts it together. What a document or a block asks for and this room does
 * not understand is refused by name. An array is written in the order: a note that it is under way, blocks,
 * {@code attributes.json}, removal of the note.
 *
 * <p>Source: the N5 specification 4.0.0, and what n5, n5-zstandard, n5-blosc and zarr-python write. Imports
 * {@code array}, {@code copy}, {@code geometry}, {@code memory} and {@code store} of the core, and the rooms
 * {@code bytes}, {@code codec}, {@code json} and {@code tree}.
 */
@NullMarked
package dev.rechunker.io.n5;

import org.jspecify.annotations.NullMarked;
