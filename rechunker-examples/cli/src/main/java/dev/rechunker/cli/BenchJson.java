package dev.rechunker.cli;

import dev.rechunker.bench.Limit;
import dev.rechunker.bench.Result;
import dev.rechunker.bench.Result.OwnReport;
import dev.rechunker.bench.Result.Sample;
import dev.rechunker.bench.Result.ToolResult;
import dev.rechunker.bench.SlowStorage;
import dev.rechunker.bench.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The results of benchmarks as data for {@link JsonLine}. */
final class BenchJson {
    private BenchJson() {}

    /** {@return all results, with a description of the machine and of the storage} */
    static Map<String, @Nullable Object> of(
            List<Result> results, Map<String, String> absent, @Nullable SlowStorage storage, boolean cold) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("machine", machine());
        json.put("storage", storage == null ? null : storage.toString());
        json.put("cold", cold);
        json.put("absent", absent);
        json.put("workloads", results.stream().map(BenchJson::result).toList());
        return json;
    }

    private static Map<String, @Nullable Object> machine() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("processors", Runtime.getRuntime().availableProcessors());
        json.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        json.put("java", System.getProperty("java.vm.version"));
        return json;
    }

    private static Map<String, @Nullable Object> result(Result result) {
        Workload workload = result.workload();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("workload", workload.name());
        json.put("type", workload.input().type().name());
        json.put("shape", JsonLine.list(workload.input().shape().toArray()));
        json.put(
                "sourceChunks",
                workload.input().isChunked()
                        ? JsonLine.list(workload.input().chunks().toArray())
                        : null);
        json.put("targetChunks", JsonLine.list(workload.chunks().toArray()));
        json.put("source", workload.input().container().format());
        json.put("target", workload.target().format());
        json.put("bytes", workload.input().bytes());
        json.put("storedBytes", result.storedBytes());
        json.put("maxMem", workload.maxMem().bytes());
        json.put("threads", result.threads());
        json.put("limitSeconds", result.limit(Limit::seconds));
        json.put("limits", result.limits().stream().map(BenchJson::limit).toList());
        json.put("tools", result.tools().stream().map(BenchJson::tool).toList());
        return json;
    }

    private static Map<String, @Nullable Object> limit(Limit limit) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("seconds", limit.seconds());
        json.put("decodeSeconds", limit.decodeSeconds());
        json.put("encodeSeconds", limit.encodeSeconds());
        json.put("spillSeconds", limit.spillSeconds());
        json.put("fileCopySeconds", limit.fileCopySeconds());
        json.put("readsPerSecond", orNull(limit.readsPerSecond()));
        json.put("createsPerSecond", orNull(limit.createsPerSecond()));
        return json;
    }

    private static @Nullable Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? figure.getAsDouble() : null;
    }

    private static Map<String, @Nullable Object> tool(ToolResult tool) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("tool", tool.name());
        json.put("version", tool.version());
        if (!tool.failure().isEmpty()) {
            json.put("failure", tool.failure());
            return json;
        }
        json.put("seconds", tool.seconds());
        json.put("ratio", tool.ratio());
        json.put("peakBytes", tool.peakBytes().isPresent() ? tool.peakBytes().getAsLong() : null);
        json.put("equal", tool.equal());
        tool.report().ifPresent(report -> json.putAll(own(report)));
        json.put("runs", tool.samples().stream().map(BenchJson::sample).toList());
        return json;
    }

    private static Map<String, @Nullable Object> own(OwnReport report) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("strategy", report.strategy());
        json.put("readsPerChunk", report.readsPerChunk());
        json.put("bytesRead", report.bytesRead());
        json.put("bytesWritten", report.bytesWritten());
        json.put("spillBytes", report.spillBytes());
        json.put("measuredMemory", report.measuredMemory());
        json.put("projectedMemory", report.projectedMemory());
        json.put("copySeconds", report.seconds());
        return json;
    }

    private static Map<String, @Nullable Object> sample(Sample sample) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("seconds", sample.seconds());
        json.put("ratio", sample.ratio());
        json.put(
                "peakBytes", sample.peakBytes().isPresent() ? sample.peakBytes().getAsLong() : null);
        sample.reads().ifPresent(reads -> {
            json.put("readBytes", reads.bytes());
            json.put("readCalls", reads.calls());
            json.put("deviceBytes", reads.deviceBytes());
        });
        return json;
    }
}
