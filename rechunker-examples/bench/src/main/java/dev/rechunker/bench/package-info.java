/**
 * Benchmarks of whole copies, compared with the limit of the machine and with other tools.
 *
 * <p>Read {@link dev.rechunker.bench.Bench} first. A {@code Workload} is an {@code Input} and the chunks of its copy. A
 * {@code Tool} makes the copy: a {@code Program} in a separate process, or the {@code WarmLibrary} in this one. The
 * {@code Limit} is the least time that any tool could take on this machine, measured in the same round. The command
 * {@code bench} prints the {@code Result}s. All numbers are measured; none is estimated.
 */
@NullMarked
package dev.rechunker.bench;

import org.jspecify.annotations.NullMarked;
