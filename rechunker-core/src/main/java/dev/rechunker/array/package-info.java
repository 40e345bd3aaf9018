/**
 * What an array is, as data: open {@link dev.rechunker.array.ArraySpec}.
 *
 * <p>Nothing here reads or writes. A spec says shape, chunks, data type, byte order, fill value, names, attributes and
 * how chunks are encoded, in terms that no single format owns; each format translates. Imports geometry only.
 */
@NullMarked
package dev.rechunker.array;

import org.jspecify.annotations.NullMarked;
