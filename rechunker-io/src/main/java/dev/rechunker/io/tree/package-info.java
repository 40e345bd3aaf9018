/**
 * Shared code of the formats that store arrays and groups as documents and chunks in a key store. Open
 * {@link dev.rechunker.io.tree.NodeCreation} to see how an array is created, and
 * {@link dev.rechunker.io.tree.UnitFiles} for the stored chunks of an array.
 *
 * <p>An array is written in this order: a note that it is unfinished, chunks, documents, removal of the note. So an
 * array with documents and without a note is complete. Existing data that may not be overwritten are refused, and
 * foreign files are not changed.
 *
 * <p>This package knows no format: a format gives the names of its documents and chunks in a
 * {@link dev.rechunker.io.tree.TreeFormat}. It imports {@code geometry}, {@code resource} and {@code store} of the
 * core, and the packages {@code bytes} and {@code json}.
 */
@NullMarked
package dev.rechunker.io.tree;

import org.jspecify.annotations.NullMarked;
