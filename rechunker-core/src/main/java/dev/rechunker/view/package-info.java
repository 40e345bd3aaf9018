/**
 * Views of arrays: {@link dev.rechunker.view.RegionView} reads a part of an array as an array, and
 * {@link dev.rechunker.view.TargetView} writes a part of an existing array as if it were a new array.
 *
 * <p>Both are stores that wrap another store, so the planner and the engine need no special cases. The grid of a part
 * is the part of the grid, with irregular chunks if the part starts inside a chunk.
 *
 * <p>Elements outside the part are dropped when a chunk is read. When a write unit is written that the part covers only
 * partly, the task that writes it reads the unit first, merges it and writes it back.
 */
@NullMarked
package dev.rechunker.view;

import org.jspecify.annotations.NullMarked;
