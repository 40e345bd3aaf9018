package dev.rechunker.cli;

import dev.rechunker.bench.Limit;
import dev.rechunker.bench.Reads;
import dev.rechunker.bench.Result;
import dev.rechunker.bench.Result.ToolResult;
import dev.rechunker.bench.Workload;
import dev.rechunker.resource.ByteSize;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The results of benchmarks as a table of text. */
final class BenchTable {
    private static final String ROW = "  %-12s %9s %7s %11s %11s %11s %11s %7s%n";

    private BenchTable() {}

    /** {@return the table of a workload: its description, the limit, and a row for each tool} */
    static String of(Result result) {
        Workload workload = result.workload();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %s %s, %s to %s, %s (%s stored), bound %s, %d threads%n",
                workload.name(),
                workload.input().type(),
                workload.input().shape(),
                workload.input().isChunked() ? "chunks " + workload.input().chunks() : "no chunks",
                workload.chunks(),
                ByteSize.of(workload.input().bytes()),
                ByteSize.of(result.storedBytes()),
                workload.maxMem(),
                result.threads()));
        text.append(limit(result));
        text.append(String.format(
                Locale.ROOT, ROW, "", "time", "ratio", "peak memory", "read", "from disk", "calls", "reads"));
        result.tools().forEach(tool -> text.append(row(tool)));
        result.tools().stream()
                .filter(tool -> !tool.version().isEmpty())
                .forEach(tool -> text.append("  ")
                        .append(tool.name())
                        .append(": ")
                        .append(tool.version())
                        .append(System.lineSeparator()));
        return text.append(System.lineSeparator()).toString();
    }

    private static String limit(Result result) {
        return String.format(
                Locale.ROOT,
                "  limit %.2f s: decode %.2f, encode %.2f, spill %.2f; file copy %.2f s%s%s%n",
                result.limit(Limit::seconds),
                result.limit(Limit::decodeSeconds),
                result.limit(Limit::encodeSeconds),
                result.limit(Limit::spillSeconds),
                result.limit(Limit::fileCopySeconds),
                rate(result, "files read", Limit::readsPerSecond),
                rate(result, "files created", Limit::createsPerSecond));
    }

    private static String rate(Result result, String what, Function<Limit, OptionalDouble> figure) {
        double rate = result.limit(limit -> figure.apply(limit).orElse(Double.NaN));
        return Double.isNaN(rate) ? "" : String.format(Locale.ROOT, "; %.0f %s/s", rate, what);
    }

    private static String row(ToolResult tool) {
        if (!tool.failure().isEmpty()) {
            return "  " + tool.name() + " failed: " + tool.failure().replaceAll("\\s*\\R\\s*", " ")
                    + System.lineSeparator();
        }
        return String.format(
                Locale.ROOT,
                ROW,
                tool.name(),
                String.format(Locale.ROOT, "%.2f s", tool.seconds()),
                String.format(Locale.ROOT, "%.2f", tool.ratio()),
                tool.peakBytes().isPresent() ? ByteSize.of(tool.peakBytes().getAsLong()) : "-",
                size(tool.reads(Reads::bytes)),
                size(tool.reads(Reads::deviceBytes)),
                count(tool.reads(Reads::calls)),
                tool.report()
                        .map(r -> String.format(Locale.ROOT, "%.2f", r.readsPerChunk()))
                        .orElse("-"));
    }

    private static String size(double bytes) {
        return Double.isNaN(bytes) ? "-" : ByteSize.of((long) bytes).toString();
    }

    private static String count(double figure) {
        return Double.isNaN(figure) ? "-" : String.format(Locale.ROOT, "%.0f", figure);
    }

    /** {@return a line for each tool that is not installed} */
    static String absent(Map<String, String> absent) {
        StringBuilder text = new StringBuilder();
        absent.forEach((name, why) -> text.append("absent: ")
                .append(name)
                .append(" (")
                .append(why)
                .append(")")
                .append(System.lineSeparator()));
        return text.toString();
    }
}
