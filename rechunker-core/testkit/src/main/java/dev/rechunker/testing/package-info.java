/**
 * Building blocks for tests of stores, executors and formats.
 *
 * <ul>
 *   <li>Contracts to extend: {@link dev.rechunker.testing.ChunkStoreContract} and
 *       {@link dev.rechunker.testing.PartsContract} for stores, {@link dev.rechunker.testing.ExecutorContract} for
 *       executors.
 *   <li>Decorators of stores: {@link dev.rechunker.testing.StrictStore} detects misuse,
 *       {@link dev.rechunker.testing.CountingStore} counts calls, {@link dev.rechunker.testing.FaultyStore} fails on
 *       request.
 *   <li>Test data: {@link dev.rechunker.testing.Data} has elements that depend on their position, so that misplaced
 *       elements are detected; {@link dev.rechunker.testing.Cases} makes random arrays from a seed;
 *       {@link dev.rechunker.testing.RampSource} is an array of any size that takes no memory.
 *   <li>Processes: {@link dev.rechunker.testing.ChildJvm} runs a class in another JVM, and
 *       {@link dev.rechunker.testing.RestartedProcesses} runs several that may be killed and are restarted.
 * </ul>
 */
@NullMarked
package dev.rechunker.testing;

import org.jspecify.annotations.NullMarked;
