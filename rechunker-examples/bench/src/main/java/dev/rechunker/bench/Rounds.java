package dev.rechunker.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rechunker.bench.Result.OwnReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The rounds of one workload. */
final class Rounds {
    private final Bench bench;
    private final Workload workload;
    private final Path source;
    private final Scrap scrap;
    private final Path logs;
    private final WarmLibrary library;
    private final Entrant ourselves;
    private final List<Entrant> entrants = new ArrayList<>();

    Rounds(Bench bench, Workload workload, Path source, Path work) {
        this.bench = bench;
        this.workload = workload;
        this.source = source;
        this.scrap = new Scrap(work.resolve("scrap"));
        this.logs = work.resolve("logs");
        this.library = new WarmLibrary(bench.threads());
        this.ourselves = new Entrant(bench.ourselves());
        entrants.add(ourselves);
        entrants.add(new Entrant(library));
        bench.peers().fitting(workload).forEach(peer -> entrants.add(new Entrant(peer)));
    }

    Result run() throws IOException, InterruptedException {
        Tool.Job kept = job(scrap.next());
        JsonObject plan = json(process(bench.ourselves().plan(kept)));
        bench.ourselves().run(kept, logs).requireSuccess();
        long spill = plan.get("spillBytes").getAsLong();
        LimitMeter meter = new LimitMeter(workload, source, kept.target(), spill, scrap, bench.threads());
        say("warming up");
        meter.measure();
        while (!library.isWarm()) {
            copyByLibrary();
        }
        List<Limit> limits = new ArrayList<>();
        JsonObject report = new JsonObject();
        for (int round = 0; round < bench.runs(); round++) {
            sync();
            Limit limit = meter.measure();
            limits.add(limit);
            say(String.format(Locale.ROOT, "the limit is %.2f s", limit.seconds()));
            for (Entrant entrant : entrants) {
                if (entrant.tool() == library) {
                    copyByLibrary();
                }
                Optional<ToolRun> run = compete(entrant, limit);
                if (entrant == ourselves) {
                    report = json(run.orElseThrow(() -> new IOException(entrant.failure())));
                }
            }
        }
        List<Result.ToolResult> tools = new ArrayList<>();
        for (Entrant entrant : entrants) {
            tools.add(entrant.result(entrant == ourselves ? Optional.of(own(plan, report)) : Optional.empty()));
        }
        return new Result(workload, bench.threads(), Trees.bytes(source), limits, tools);
    }

    /** Has the library make a copy that does not count: the one before another. */
    private void copyByLibrary() throws IOException, InterruptedException {
        Path made = scrap.next();
        library.run(job(made), logs);
        Trees.empty(made);
    }

    /** {@return a run of a tool, whose target is compared with the source once; nothing if it has failed} */
    private Optional<ToolRun> compete(Entrant entrant, Limit limit) throws IOException, InterruptedException {
        if (!entrant.failure().isEmpty()) {
            return Optional.empty();
        }
        sync();
        Path made = scrap.next();
        Tool.Job job = job(made);
        try {
            ToolRun run = entrant.tool().run(job, logs);
            if (run.status() != 0) {
                entrant.fails(run.failure());
            } else if (!entrant.isVerified()) {
                entrant.verified(process(bench.ourselves().verify(job.sourceArgument(), job.targetArgument())));
            }
            entrant.ran(run, limit);
            say(
                    entrant.failure().isEmpty()
                            ? String.format(
                                    Locale.ROOT,
                                    "%s took %.2f s",
                                    entrant.tool().name(),
                                    run.seconds())
                            : entrant.tool().name() + ": " + entrant.failure());
            return entrant.failure().isEmpty() ? Optional.of(run) : Optional.empty();
        } finally {
            Trees.empty(made);
        }
    }

    private Tool.Job job(Path directory) {
        return new Tool.Job(
                workload,
                source,
                workload.target().in(directory, "made"),
                directory.resolve("made.tmp"),
                bench.threads());
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

    /** Has what was written before go to the device, so that nobody waits for another's bytes. */
    private static void sync() throws InterruptedException {
        try {
            new ProcessBuilder("sync").start().waitFor();
        } catch (IOException e) {
            return; // there is no such command on this system
        }
    }

    private void say(String text) {
        bench.log().accept(workload.name() + ": " + text);
    }
}
