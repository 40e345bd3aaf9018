/**
 * What tests of stores, executors and formats are made of: contracts to extend, stores that count, check and fail, and
 * elements that show where they belong.
 *
 * <p>{@link dev.rechunker.testing.Data} makes elements that tell where they belong, {@link dev.rechunker.testing.Cases}
 * makes random arrays from a seed, {@link dev.rechunker.testing.ChunkStoreContract} tests a store against every clause
 * of the interface, and three decorators watch or disturb a store: {@link dev.rechunker.testing.StrictStore},
 * {@link dev.rechunker.testing.CountingStore}, {@link dev.rechunker.testing.FaultyStore}. A
 * {@link dev.rechunker.testing.ChildJvm} is for what is true of a process, and
 * {@link dev.rechunker.testing.RestartedProcesses} for what many of them do that may be killed.
 */
@NullMarked
package dev.rechunker.testing;

import org.jspecify.annotations.NullMarked;
