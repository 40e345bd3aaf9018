/**
 * The description of an array, independent of any format.
 *
 * <p>Read {@link dev.rechunker.array.ArraySpec} first. A spec has the shape, chunks, data type, byte order, fill value,
 * dimension names, attributes and codecs of an array. Each format translates its own metadata to a spec and back.
 * Nothing in this package reads or writes data.
 *
 * <p>Imports {@code geometry} and {@code element}.
 */
@NullMarked
package dev.rechunker.array;

import org.jspecify.annotations.NullMarked;
