package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark that measures workloads in rounds. In each round the limit is measured and then every tool runs once, so
 * that changes of the machine's speed affect all of them.
 *
 * @param ourselves the command line of this project
 * @param peers the other tools
 * @param directory the directory for inputs, which are kept, and targets, which are emptied after each run and removed
 *     by {@link #close()}
 * @param runs the number of rounds, after one that is not counted
 * @param threads the number of threads of every tool that has such an option
 * @param mostSeconds the seconds after which other tools are stopped
 * @param storage a storage that is simulated for the source, which only some tools can read; null if there is none
 * @param cold whether the page cache is emptied before each run
 * @param log receives lines on the progress
 */
public record Bench(
        RechunkTool ourselves,
        Peers peers,
        Path directory,
        int runs,
        int threads,
        double mostSeconds,
        @Nullable SlowStorage storage,
        boolean cold,
        Consumer<String> log)
        implements AutoCloseable {
    /** Checks that numbers are positive. */
    public Bench {
        if (runs < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    runs + " runs with " + threads + " threads are requested; both must be at least 1");
        }
    }

    /**
     * {@return the measurements of a workload}
     *
     * @throws IOException if this project fails, or its target differs from the source
     */
    public Result run(Workload workload) throws IOException, InterruptedException {
        Path inputs = Files.createDirectories(directory);
        log.accept(workload.name() + ": input " + workload.input().path(inputs));
        workload.input().make(inputs);
        Path targets = work().resolve(workload.name());
        Trees.delete(targets); // left by a run that was aborted
        try {
            Path source = workload.input().path(inputs);
            Files.createDirectories(targets);
            if (storage == null) {
                return new Rounds(this, workload, source, null, targets).run();
            }
            try (SlowServer server = new SlowServer(inputs.toAbsolutePath(), storage)) {
                return new Rounds(this, workload, source, server, targets).run();
            }
        } finally {
            Trees.empty(targets);
        }
    }

    /** Removes the targets. */
    @Override
    public void close() throws IOException {
        Trees.delete(work());
    }

    private Path work() {
        return directory.resolve("work");
    }

    /** Removes a directory that was used for measurements. */
    public static void clear(Path directory) throws IOException {
        Trees.delete(directory);
    }
}
