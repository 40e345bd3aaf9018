/** Tests of the benchmarks with arrays that are too small to measure anything. */
@NullMarked
package dev.rechunker.bench;

import org.jspecify.annotations.NullMarked;
