package dev.rechunker.cli;

import dev.rechunker.bench.Bench;
import dev.rechunker.bench.PageCache;
import dev.rechunker.bench.Peers;
import dev.rechunker.bench.RechunkTool;
import dev.rechunker.bench.Result;
import dev.rechunker.bench.SlowStorage;
import dev.rechunker.bench.Workload;
import dev.rechunker.bench.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The command {@code bench}, which measures copies on this machine. */
final class BenchCommand extends Command {
    private final Arg<String[]> names = argument(
            String[].class,
            "0..*",
            "0..*",
            "WORKLOAD",
            "The workloads or groups of workloads to run. Default: standard. An unknown name lists all of them.");
    private final Arg<Path> directory = value(
            Path.class,
            "--dir",
            "DIR",
            "The directory for inputs and targets, on the device to measure. Inputs are kept there and used again."
                    + " Default: a temporary directory, which is removed at the end.");
    private final Arg<Double> scale =
            value(double.class, "--scale", "S", "Make arrays and memory limits S times as large. Default: 1.");
    private final Arg<Integer> runs =
            value(int.class, "--runs", "N", "The number of rounds, of which medians are printed. Default: 3.");
    private final ThreadsOption threads = new ThreadsOption(this);
    private final Arg<Boolean> cold =
            flag("--cold", "Empty the system's cache of files before each run. Only Linux and its administrator can.");
    private final Arg<String> storage = text(
            "--storage",
            "RATE,LATENCY",
            "Read sources from a server on this machine that is as slow as a disk or a network, such as 150MB/s,8ms or"
                    + " 40MB/s,50ms.");
    private final Arg<Integer> stopAfter =
            value(int.class, "--stop-after", "SECONDS", "Stop a run of another tool after this time. Default: 600.");
    private final Arg<Boolean> alone = flag("--no-peers", "Do not run other tools.");
    private final Arg<Boolean> json = flag("--json", "Print one line of JSON with all runs instead of the table.");

    BenchCommand() {
        super(
                "bench",
                "Copy arrays into other chunks, and compare the time with the limit of this machine and with other"
                        + " installed tools.",
                "Each copy runs in a separate process; Rechunker is also measured in a JVM that has already done the"
                        + " same copy. The limit is measured in the same round: the time to decode each source chunk"
                        + " once, to encode each target chunk once, and to write and read the spill once.");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(scale() > 0 && runs() > 0 && threads.number() > 0 && stopAfter() > 0)) {
            throw new UsageException("--scale " + scale() + ", --runs " + runs() + ", --threads " + threads.number()
                    + " and --stop-after " + stopAfter() + " must be positive");
        }
        SlowStorage simulated = simulated();
        if (cold.isGiven()) {
            requireCold();
        }
        List<Workload> workloads = workloads();
        Path place = directory.value();
        if (place != null) {
            measure(workloads, place, simulated);
            return Rechunk.DONE;
        }
        Path temporary = Files.createTempDirectory("rechunk-bench");
        try {
            measure(workloads, temporary, simulated);
        } finally {
            Bench.clear(temporary);
        }
        return Rechunk.DONE;
    }

    private @Nullable SlowStorage simulated() {
        String text = storage.value();
        try {
            return text == null ? null : SlowStorage.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--storage: " + e.getMessage());
        }
    }

    private static void requireCold() throws InterruptedException {
        try {
            PageCache.drop();
        } catch (IOException e) {
            throw new UsageException("--cold: the cache of files cannot be emptied here (" + e.getMessage()
                    + "); run as administrator of a Linux machine, or leave out --cold");
        }
    }

    private int stopAfter() {
        return stopAfter.or(600);
    }

    private double scale() {
        return scale.or(1.0);
    }

    private int runs() {
        return runs.or(3);
    }

    private List<Workload> workloads() {
        List<String> wanted = List.of(names.or(new String[] {Workloads.STANDARD}));
        try {
            return new Workloads()
                    .find(wanted).stream().map(w -> w.scaled(scale())).toList();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private void measure(List<Workload> workloads, Path place, @Nullable SlowStorage simulated)
            throws IOException, InterruptedException {
        RechunkTool ourselves = new RechunkTool(Rechunk.class);
        Path scripts = place.resolve("peers");
        try {
            Peers others = alone.isGiven() ? Peers.none() : Peers.installed(scripts);
            measure(workloads, place, simulated, ourselves, others);
        } finally {
            Bench.clear(scripts);
        }
    }

    private void measure(
            List<Workload> workloads, Path place, @Nullable SlowStorage simulated, RechunkTool ourselves, Peers others)
            throws IOException, InterruptedException {
        PrintWriter out = out();
        PrintWriter err = err();
        others.absent().forEach((name, why) -> err.println("absent: " + name + " (" + why + ")"));
        if (simulated != null && !json.isGiven()) {
            out.println("sources are read with " + simulated + " for each request" + System.lineSeparator());
        }
        List<Result> results = new ArrayList<>();
        Consumer<String> log = line -> {
            err.println(line);
            err.flush();
        };
        try (Bench bench = new Bench(
                ourselves, others, place, runs(), threads.number(), stopAfter(), simulated, cold.isGiven(), log)) {
            for (Workload workload : workloads) {
                Result result = bench.run(workload);
                results.add(result);
                if (!json.isGiven()) {
                    out.print(BenchTable.of(result));
                    out.flush();
                }
            }
        }
        out.print(
                json.isGiven()
                        ? JsonLine.of(BenchJson.of(results, others.absent(), simulated, cold.isGiven())) + "\n"
                        : BenchTable.absent(others.absent()));
        out.flush();
    }
}
