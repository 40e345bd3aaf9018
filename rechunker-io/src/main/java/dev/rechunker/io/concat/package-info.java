/**
 * Many arrays seen as one: open {@link dev.rechunker.io.concat.Concat} first.
 *
 * <p>{@code Inspection} looks at every source once, one open at a time, and checks that they belong together;
 * {@code Assembly} gathers what is kept of the members of one array, and makes a {@code ConcatArray} of it: a spec, a
 * table of where members start, and for every kind of member a {@code RegionRead} that reads its part of a chunk.
 * {@code OpenMembers} opens members when they are read, never more than a limit at once.
 *
 * <p>Nothing is copied and nothing is written. What members may differ in without changing what numbers mean is made up
 * for while reading: byte order, fill value, chunks, codecs, format. What changes their meaning is refused by the name
 * of the source. What members say and the joined nodes do not, {@code Omissions} gathers in sentences. Imports
 * {@code array}, {@code geometry}, {@code copy}, {@code memory}, {@code store} and {@code view} of the core, and no
 * other room.
 */
@NullMarked
package dev.rechunker.io.concat;

import org.jspecify.annotations.NullMarked;
