package dev.rechunker.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What was measured of a workload.
 *
 * @param workload the workload, as it was scaled
 * @param threads how many worked
 * @param storedBytes what the source takes, as it is stored
 * @param limits one of each round
 * @param tools what ran, this project first
 */
public record Result(Workload workload, int threads, long storedBytes, List<Limit> limits, List<ToolResult> tools) {
    /** Takes copies of the lists. */
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
     * What was measured of a tool.
     *
     * @param name its name
     * @param version the versions of what it is made of, or nothing
     * @param samples one of each round
     * @param equal whether its target has the same elements as the source; looked at once
     * @param failure why it did not go on, or nothing
     * @param report what this project's last run says of itself; empty for others
     */
    public record ToolResult(
            String name,
            String version,
            List<Sample> samples,
            boolean equal,
            String failure,
            Optional<OwnReport> report) {
        /** Takes a copy of the list. */
        public ToolResult {
            samples = List.copyOf(samples);
        }

        /** {@return the median of the times, in seconds; NaN if it has failed} */
        public double seconds() {
            return median(samples.stream().mapToDouble(Sample::seconds));
        }

        /** {@return the median of the ratios to the limit of the same round; NaN if it has failed} */
        public double ratio() {
            return median(samples.stream().mapToDouble(Sample::ratio));
        }

        /** {@return the largest of the resident peaks; empty if the system does not say them} */
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
     * @param seconds the whole process
     * @param peakBytes its resident peak, if the system says it
     * @param ratio of its seconds to the limit of the same round
     */
    public record Sample(double seconds, OptionalLong peakBytes, double ratio) {}

    /**
     * What this project says of a run.
     *
     * @param strategy the plan's
     * @param spillBytes written to the spill in all
     * @param readsPerChunk how often the source was read, on average
     * @param bytesRead uncompressed, of source and spill
     * @param bytesWritten uncompressed, to spill and target
     * @param measuredMemory the most bytes held
     * @param projectedMemory the most that the plan said would be
     * @param seconds the copy alone, without the start of the JVM
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
