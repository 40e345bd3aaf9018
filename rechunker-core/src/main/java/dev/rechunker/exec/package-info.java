/**
 * Runs plans under the budget. Open {@link dev.rechunker.exec.Executor} first, then {@link dev.rechunker.exec.CopyRun}.
 *
 * <p>Inside a window there is no barrier: a thread takes whatever is ready. It encodes a write unit whose last source
 * chunk has arrived, or else reads the next source chunk in the plan's order, once there is room for the units that it
 * begins. Room is a ring in which every unit has its place by its index ({@code Ring}); since chunks are admitted in
 * order, and the plan has proved that the ring is long enough, this cannot deadlock.
 */
@NullMarked
package dev.rechunker.exec;

import org.jspecify.annotations.NullMarked;
