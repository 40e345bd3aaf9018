package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Measures workloads in rounds: in each, the limit is measured and then every tool runs once, one after the other, so
 * that what happens to a machine meanwhile happens to all of them.
 *
 * @param ourselves this project
 * @param peers who else runs
 * @param directory for inputs, which stay, and targets, which are there until it is closed, but empty
 * @param runs rounds, after one that is not counted
 * @param threads how many work, in every tool that can be told
 * @param log takes a line now and then
 */
public record Bench(Ourselves ourselves, Peers peers, Path directory, int runs, int threads, Consumer<String> log)
        implements AutoCloseable {
    /** Checks the numbers. */
    public Bench {
        if (runs < 1 || threads < 1) {
            throw new IllegalArgumentException(runs + " runs with " + threads + " threads measure nothing");
        }
    }

    /**
     * {@return what was measured of a workload}
     *
     * @throws IOException if this project fails, or its result is not what it was made of
     */
    public Result run(Workload workload) throws IOException, InterruptedException {
        Path inputs = Files.createDirectories(directory);
        log.accept(workload.name() + ": input " + workload.input().path(inputs));
        workload.input().make(inputs);
        Path targets = work().resolve(workload.name());
        Trees.delete(targets); // of a run that was broken off
        try {
            return new Rounds(this, workload, workload.input().path(inputs), Files.createDirectories(targets)).run();
        } finally {
            Trees.empty(targets);
        }
    }

    /** Removes what is left of targets. */
    @Override
    public void close() throws IOException {
        Trees.delete(work());
    }

    private Path work() {
        return directory.resolve("work");
    }

    /** Removes a directory that was measured in. */
    public static void clear(Path directory) throws IOException {
        Trees.delete(directory);
    }
}
