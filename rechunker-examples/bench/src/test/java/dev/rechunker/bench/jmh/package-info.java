/**
 * JMH benchmarks of the inner loops, the codecs and the planner, run by {@code mvn -Pbenchmarks}.
 *
 * <p>{@code BenchmarksRunTest} runs each of them briefly to check that it works, without measuring anything.
 */
@NullMarked
package dev.rechunker.bench.jmh;

import org.jspecify.annotations.NullMarked;
