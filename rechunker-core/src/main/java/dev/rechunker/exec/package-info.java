/**
 * The execution of plans within the memory budget. Open {@link dev.rechunker.exec.CopyRun} first.
 *
 * <p>There is no barrier inside a window. A free thread encodes a write unit that is complete; or, if there is none, it
 * reads the next source chunk in the order of the plan, as soon as there is a place for each unit that the chunk
 * begins. Each unit has its place in a ring by its index ({@code Ring}). Chunks are admitted in order, and the plan
 * makes sure that the ring is large enough, so there is no deadlock.
 *
 * <p>The temporary copy of a block is a {@code SpillBlock}. It consists of files, in which each piece has its place; or
 * of values in an object store, one for each slab. The pieces of a value stay in the ring until the value is written. A
 * {@link dev.rechunker.exec.SpillCodec} compresses the pieces of files.
 *
 * <p>A run reports to a {@code ProgressListener}; in a {@code Report}; at level DEBUG to the {@link System.Logger}
 * {@code dev.rechunker}; and in events of the JDK's flight recorder ({@code Events}). Part of the engine.
 */
@NullMarked
package dev.rechunker.exec;

import org.jspecify.annotations.NullMarked;
