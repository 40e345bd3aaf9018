/**
 * Many arrays joined into one. Open {@link dev.rechunker.io.concat.Concat} first.
 *
 * <p>{@code Inspection} opens every source once, one at a time, and checks that they match. {@code Assembly} collects
 * the members of one array, and makes a {@code ConcatArray} of them: a spec, the positions at which members start, and
 * for every kind of member a {@code RegionRead} that reads its part of a chunk. {@code OpenMembers} opens members when
 * they are read, and limits how many are open at the same time.
 *
 * <p>Nothing is copied and nothing is written. Differences between members that do not change the meaning of numbers
 * are resolved while reading: byte order, fill value, chunks, codecs, format. Differences that change the meaning are
 * refused with the name of the source. {@code Omissions} collects messages about other properties of members that the
 * joined nodes lack.
 *
 * <p>This package imports {@code array}, {@code geometry}, {@code copy}, {@code resource}, {@code store} and
 * {@code view} of the core, and no other package.
 */
@NullMarked
package dev.rechunker.io.concat;

import org.jspecify.annotations.NullMarked;
