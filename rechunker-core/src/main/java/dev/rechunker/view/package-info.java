/**
 * Arrays seen as others: open {@link dev.rechunker.view.RegionView} to see a part of them, and {@code TargetView} to
 * write a part of one that is there.
 *
 * <p>Both are stores in front of stores, so the planner and the engine know nothing of them: a part of a grid is a
 * grid, cut irregularly where the part begins inside a chunk. What a part does not cover of a chunk that is read is
 * dropped; what it does not cover of a unit that is written is read, merged and written back by the one task that
 * writes the unit.
 */
@NullMarked
package dev.rechunker.view;

import org.jspecify.annotations.NullMarked;
