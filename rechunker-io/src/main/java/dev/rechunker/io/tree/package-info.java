/**
 * What formats share that keep arrays and groups as documents and chunks in a key store: open
 * {@link dev.rechunker.io.tree.Site} to see how an array comes into being, {@link dev.rechunker.io.tree.UnitFiles} for
 * the files of one.
 *
 * <p>An array is written in the order: a note that it is under way, chunks, documents, removal of the note; so an array
 * without a note is whole. What is in the way is refused, and files of somebody else are not touched. Knows no format:
 * a format says what its documents and chunks are called in a {@link dev.rechunker.io.tree.TreeFormat}. Imports
 * {@code geometry}, {@code memory} and {@code store} of the core, and the rooms {@code bytes} and {@code json}.
 */
@NullMarked
package dev.rechunker.io.tree;

import org.jspecify.annotations.NullMarked;
