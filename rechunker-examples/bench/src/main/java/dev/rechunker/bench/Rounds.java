package dev.rechunker.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rechunker.bench.Result.OwnReport;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rounds of one workload. */
final class Rounds {
    private final Bench bench;
    private final Workload workload;
    private final Path source;
    private final @Nullable SlowServer server;
    private final Scrap scrap;
    private final Path logs;
    private final WarmLibrary library;
    private final MeasuredTool ourselves;
    private final List<MeasuredTool> tools = new ArrayList<>();

    Rounds(Bench bench, Workload workload, Path source, @Nullable SlowServer server, Path work) {
        this.bench = bench;
        this.workload = workload;
        this.source = source;
        this.server = server;
        this.scrap = new Scrap(work.resolve("scrap"));
        this.logs = work.resolve("logs");
        this.library = new WarmLibrary(bench.threads());
        this.ourselves = new MeasuredTool(bench.ourselves());
        tools.add(ourselves);
        tools.add(new MeasuredTool(library));
        bench.peers().fitting(workload).stream()
                .filter(peer -> server == null || peer.readsWeb())
                .forEach(peer -> tools.add(new MeasuredTool(peer)));
    }

    Result run() throws IOException, InterruptedException {
        Tool.Job kept = job(scrap.next());
        JsonObject plan = json(process(bench.ourselves().plan(kept)));
        if (plan.has("arrays")) { // of a pyramid; the first one is copied
            plan = plan.getAsJsonArray("arrays").get(0).getAsJsonObject();
        }
        bench.ourselves().run(kept, logs).requireSuccess();
        long spill = plan.get("spillBytes").getAsLong();
        LimitMeter meter = new LimitMeter(workload, source, kept, spill, scrap, bench.threads());
        say("warming up");
        meter.measure();
        while (!library.isWarm()) {
            copyByLibrary();
        }
        List<Limit> limits = new ArrayList<>();
        JsonObject report = new JsonObject();
        for (int round = 0; round < bench.runs(); round++) {
            settle();
            Limit limit = meter.measure();
            limits.add(limit);
            say(String.format(Locale.ROOT, "the limit is %.2f s", limit.seconds()));
            for (MeasuredTool tool : tools) {
                if (tool.tool() == library) {
                    copyByLibrary();
                }
                Optional<ToolRun> run = runTool(tool, limit);
                if (tool == ourselves) {
                    report = json(run.orElseThrow(() -> new IOException(tool.failure())));
                }
            }
        }
        List<Result.ToolResult> results = new ArrayList<>();
        for (MeasuredTool tool : tools) {
            results.add(tool.result(tool == ourselves ? Optional.of(own(plan, report)) : Optional.empty()));
        }
        return new Result(workload, bench.threads(), Trees.bytes(source), limits, results);
    }

    /** Makes a copy with the library that is not counted, as the first copy after a pause is slower. */
    private void copyByLibrary() throws IOException, InterruptedException {
        Path made = scrap.next();
        library.run(job(made), logs);
        Trees.empty(made);
    }

    /** Runs a tool, and compares its target with the source once. {@return the run; empty if the tool failed} */
    private Optional<ToolRun> runTool(MeasuredTool tool, Limit limit) throws IOException, InterruptedException {
        if (!tool.failure().isEmpty()) {
            return Optional.empty();
        }
        settle();
        Path made = scrap.next();
        Tool.Job job = job(made);
        try {
            ToolRun run = run(tool.tool(), job);
            if (run.status() != 0) {
                tool.recordFailure(run.failure());
            } else if (!tool.isVerified()) {
                tool.recordComparison(compare(tool.tool().result(job), made));
                if (tool.failure().isEmpty()) {
                    checkChunks(tool, job);
                }
            }
            tool.recordRun(run, limit);
            say(
                    tool.failure().isEmpty()
                            ? String.format(
                                    Locale.ROOT, "%s took %.2f s", tool.tool().name(), run.seconds())
                            : tool.tool().name() + ": " + tool.failure());
            return tool.failure().isEmpty() ? Optional.of(run) : Optional.empty();
        } finally {
            Trees.empty(made);
        }
    }

    /** {@return a comparison of an array with the source; with its axes put in order, below {@code made}} */
    private ToolRun compare(String array, Path made) throws IOException, InterruptedException {
        String compared = array;
        if (!workload.axes().isEmpty()) {
            compared = made.resolve("back.zarr").toString();
            ToolRun copy = process(bench.ourselves().inOrderOfInput(workload, array, Path.of(compared)));
            if (copy.status() != 0) {
                return copy;
            }
        }
        String expected = workload.input().container().argument(source.toString());
        return process(bench.ourselves().verify(expected, compared));
    }

    /** Records a failure if the target has other chunks than were requested. */
    private void checkChunks(MeasuredTool tool, Tool.Job job) throws IOException {
        StoreLocation array = Container.openArgument(tool.tool().result(job));
        try (ChunkStore store = array.store();
                ArrayReader reader = store.openReader(array.path())) {
            ChunkGrid made = reader.spec().chunks();
            if (!made.equals(workload.grid())) {
                tool.recordFailure(
                        "its target has chunks of " + made.chunkShape() + " instead of " + workload.chunks());
            }
        }
    }

    private ToolRun run(Tool tool, Tool.Job job) throws IOException, InterruptedException {
        if (server == null) {
            return tool.run(job, logs);
        }
        Reads before = server.soFar();
        ToolRun run = tool.run(job, logs);
        return run.withReads(server.soFar().minus(before));
    }

    private Tool.Job job(Path directory) {
        return new Tool.Job(
                workload,
                server == null ? source.toString() : server.address(source.toAbsolutePath()),
                workload.target().in(directory, "made"),
                directory.resolve("made.tmp"),
                bench.threads(),
                bench.mostSeconds());
    }

    private ToolRun process(List<String> command) throws IOException, InterruptedException {
        return ToolRun.ofProcess(command, bench.ourselves().environment(), logs);
    }

    private static JsonObject json(ToolRun run) throws IOException {
        run.requireSuccess();
        return JsonParser.parseString(run.lastLine()).getAsJsonObject();
    }

    private OwnReport own(JsonObject plan, JsonObject run) {
        long spilled = plan.get("spillBytes").getAsLong();
        return new OwnReport(
                plan.get("strategy").getAsString(),
                spilled,
                (double) (run.get("bytesRead").getAsLong() - spilled)
                        / workload.input().bytes(),
                run.get("bytesRead").getAsLong(),
                run.get("bytesWritten").getAsLong(),
                run.get("measuredMemory").getAsLong(),
                run.get("projectedMemory").getAsLong(),
                run.get("seconds").getAsDouble());
    }

    private void settle() throws IOException, InterruptedException {
        if (bench.cold()) {
            PageCache.drop();
        } else {
            PageCache.flush();
        }
    }

    private void say(String text) {
        bench.log().accept(workload.name() + ": " + text);
    }
}
