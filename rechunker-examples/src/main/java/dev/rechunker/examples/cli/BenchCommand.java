package dev.rechunker.examples.cli;

import dev.rechunker.bench.Bench;
import dev.rechunker.bench.Ourselves;
import dev.rechunker.bench.Peers;
import dev.rechunker.bench.Result;
import dev.rechunker.bench.Workload;
import dev.rechunker.bench.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures copies on this machine. */
@Command(
        name = "bench",
        description = {
            "Make arrays, copy them into other chunks, and compare the time with the limit of this machine,"
                    + " and with other tools that are installed.",
            "Each copy is a process of its own; this project also copies in a JVM that has done the same before. The"
                    + " limit is measured in the same round: each source chunk decoded once, each target chunk encoded"
                    + " once, and what is spilled written and read once."
        },
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        versionProvider = Rechunk.Version.class,
        sortOptions = false)
final class BenchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "WORKLOAD",
            description = "Workloads or groups of them; the group standard unless told otherwise. A wrong name lists"
                    + " all.")
    private List<String> names = List.of(Workloads.STANDARD);

    @Option(
            names = "--dir",
            description = "Where inputs and targets go, on the device that is measured. Inputs stay there, and serve"
                    + " again. Unless told otherwise a new directory, removed at the end.")
    private @Nullable Path directory;

    @Option(names = "--scale", paramLabel = "S", description = "Arrays and bounds S times as large; 1 unless told.")
    private double scale = 1;

    @Option(names = "--runs", paramLabel = "N", description = "Rounds; medians are printed. 3 unless told otherwise.")
    private int runs = 3;

    @Option(names = "--threads", paramLabel = "N", description = "Threads; one per processor unless told otherwise.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--no-peers", negatable = true, description = "Run no other tools.")
    private boolean peers = true;

    @Option(names = "--json", description = "Print one line of JSON, with every run, in place of the table.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(scale > 0 && runs > 0 && threads > 0)) {
            throw new UsageException(
                    "--scale " + scale + ", --runs " + runs + " and --threads " + threads + " have to be positive");
        }
        List<Workload> workloads = workloads();
        if (directory != null) {
            measure(workloads, directory);
            return Rechunk.DONE;
        }
        Path temporary = Files.createTempDirectory("rechunk-bench");
        try {
            measure(workloads, temporary);
        } finally {
            Bench.clear(temporary);
        }
        return Rechunk.DONE;
    }

    private List<Workload> workloads() {
        try {
            return new Workloads()
                    .find(names).stream().map(w -> w.scaled(scale)).toList();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private void measure(List<Workload> workloads, Path place) throws IOException, InterruptedException {
        Path scripts = place.resolve("peers");
        try {
            measure(workloads, place, peers ? Peers.installed(scripts) : Peers.none());
        } finally {
            Bench.clear(scripts);
        }
    }

    private void measure(List<Workload> workloads, Path place, Peers others) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        others.absent().forEach((name, why) -> err.println("absent: " + name + " (" + why + ")"));
        List<Result> results = new ArrayList<>();
        try (Bench bench = new Bench(new Ourselves(Rechunk.class), others, place, runs, threads, line -> {
            err.println(line);
            err.flush();
        })) {
            for (Workload workload : workloads) {
                Result result = bench.run(workload);
                results.add(result);
                if (!json) {
                    out.print(BenchTable.of(result));
                    out.flush();
                }
            }
        }
        out.print(json ? Json.line(BenchJson.of(results, others.absent())) + "\n" : BenchTable.absent(others.absent()));
        out.flush();
    }
}
