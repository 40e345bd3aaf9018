/**
 * Runs plans under the budget. Open {@link dev.rechunker.exec.CopyRun} first.
 *
 * <p>Inside a window there is no barrier: a thread takes whatever is ready. It encodes a write unit whose last source
 * chunk has arrived, or else reads the next source chunk in the plan's order, once there is room for the units that it
 * begins. Room is a ring in which every unit has its place by its index ({@code Ring}); since chunks are admitted in
 * order, and the plan has proved that the ring is long enough, this cannot deadlock.
 *
 * <p>A spill is a {@code SpillBlock}: files, in which pieces have their places; or values of an object store, one for
 * each slab, put together from the pieces in the ring, which then keeps them until they are put.
 *
 * <p>What a run does is told to a {@code ProgressListener}, in a {@code Report}, at level DEBUG to the
 * {@link System.Logger} {@code dev.rechunker}, which needs no dependency and goes where the application wants it, and
 * in events of the JDK's flight recorder ({@code Events}), of which nothing is made while nobody records.
 */
@NullMarked
package dev.rechunker.exec;

import org.jspecify.annotations.NullMarked;
