package dev.rechunker.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * The measurements of a workload.
 *
 * @param workload the workload, after scaling
 * @param threads the number of threads
 * @param storedBytes the size of the stored source in bytes
 * @param limits the limit in each round
 * @param tools the measurements of each tool, this project first
 */
public record Result(Workload workload, int threads, long storedBytes, List<Limit> limits, List<ToolResult> tools) {
    /** Copies the lists. */
    public Result {
        limits = List.copyOf(limits);
        tools = List.copyOf(tools);
    }

    /** {@return the median of a figure over the rounds} */
    public double limit(ToDoubleFunction<Limit> figure) {
        return median(limits.stream().mapToDouble(figure));
    }

    private static double median(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length == 0
                ? Double.NaN
                : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * The measurements of a tool.
     *
     * @param name the name of the tool
     * @param version the versions of its components, or an empty text
     * @param samples the run in each round
     * @param equal whether its target has the same elements as the source, which is checked once
     * @param failure the reason why it was stopped, or an empty text
     * @param report the report of the last run of this project; empty for other tools
     */
    public record ToolResult(
            String name,
            String version,
            List<Sample> samples,
            boolean equal,
            String failure,
            Optional<OwnReport> report) {
        /** Copies the list. */
        public ToolResult {
            samples = List.copyOf(samples);
        }

        /** {@return the median of the times in seconds; NaN if the tool failed} */
        public double seconds() {
            return median(samples.stream().mapToDouble(Sample::seconds));
        }

        /** {@return the median of the ratios to the limit of the same round; NaN if the tool failed} */
        public double ratio() {
            return median(samples.stream().mapToDouble(Sample::ratio));
        }

        /** {@return the median of a figure of what it read; NaN if the system does not report it} */
        public double reads(ToDoubleFunction<Reads> figure) {
            return median(
                    samples.stream().flatMap(sample -> sample.reads().stream()).mapToDouble(figure));
        }

        /** {@return the largest peak of resident memory in bytes; empty if the system does not report it} */
        public OptionalLong peakBytes() {
            return samples.stream()
                    .map(Sample::peakBytes)
                    .flatMapToLong(OptionalLong::stream)
                    .max();
        }
    }

    /**
     * One run.
     *
     * @param seconds the duration of the process in seconds
     * @param peakBytes the peak of its resident memory in bytes; empty if the system does not report it
     * @param reads what it read; empty if the system does not report it
     * @param ratio the ratio of the duration to the limit of the same round
     */
    public record Sample(double seconds, OptionalLong peakBytes, Optional<Reads> reads, double ratio) {}

    /**
     * The report of this project on a run.
     *
     * @param strategy the strategy of the plan
     * @param spillBytes the bytes written to the spill in total
     * @param readsPerChunk the mean number of reads of a source chunk
     * @param bytesRead the uncompressed bytes read from source and spill
     * @param bytesWritten the uncompressed bytes written to spill and target
     * @param measuredMemory the most memory in use, in bytes
     * @param projectedMemory the memory that the plan projected, in bytes
     * @param seconds the duration of the copy in seconds, without the start of the JVM
     */
    public record OwnReport(
            String strategy,
            long spillBytes,
            double readsPerChunk,
            long bytesRead,
            long bytesWritten,
            long measuredMemory,
            long projectedMemory,
            double seconds) {}
}
