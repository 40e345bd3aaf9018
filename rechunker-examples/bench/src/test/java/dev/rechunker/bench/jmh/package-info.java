/**
 * Benchmarks of the hot loops, the codecs and the planner, for JMH: {@code mvn -Pbenchmarks}.
 *
 * <p>{@code BenchmarksRunTest} runs each for a moment, so that none of them stops working. That says nothing about
 * speed.
 */
@NullMarked
package dev.rechunker.bench.jmh;

import org.jspecify.annotations.NullMarked;
