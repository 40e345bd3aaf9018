/**
 * Whole copies, measured: workloads, the limit of the machine, and what users would run instead.
 *
 * <p>Open {@link dev.rechunker.bench.Bench} first. A {@code Workload} is an {@code Input} that is made here, and the
 * chunks that it is wanted in. A {@code Tool} carries it out: a {@code Program} in a process of its own, the
 * {@code WarmLibrary} in this one. {@code Limit} is what no tool can go below on this machine, measured in the same
 * round. The command {@code bench} prints the {@code Result}s.
 *
 * <p>Nothing is estimated: what is not measured is not printed.
 */
@NullMarked
package dev.rechunker.bench;

import org.jspecify.annotations.NullMarked;
