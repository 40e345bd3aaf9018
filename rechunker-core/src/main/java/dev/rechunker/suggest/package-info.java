/**
 * Chunks for the ways in which an array is read. {@link dev.rechunker.suggest.ReadCosts} computes what a way of reading
 * costs with given chunks; {@link dev.rechunker.suggest.ChunkSearch} finds the chunks between which it is a choice.
 * Part of the engine.
 */
@NullMarked
package dev.rechunker.suggest;

import org.jspecify.annotations.NullMarked;
