package dev.rechunker.bench;

import dev.rechunker.Rechunker;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * This project as a library in this process. Its time is that of an application that has made similar copies before, so
 * that the JVM has compiled the code.
 */
final class WarmLibrary implements Tool {
    /** The time, or number of runs, after which the JVM has compiled almost everything. */
    private static final double WARM_UP_SECONDS = 12;

    private static final int WARM_UP_RUNS = 40;

    private final Executor executor;
    private int runs;
    private double total;

    WarmLibrary(int threads) {
        executor = new ForkJoinExecutor(threads);
    }

    @Override
    public String name() {
        return "rechunk warm";
    }

    @Override
    public boolean readsWeb() {
        return true;
    }

    @Override
    public boolean fits(Workload workload) {
        return true;
    }

    /** {@return whether it has run long enough for its time to be counted} */
    boolean isWarm() {
        return runs >= WARM_UP_RUNS || total >= WARM_UP_SECONDS;
    }

    @Override
    public ToolRun run(Job job, Path logs) throws IOException, InterruptedException {
        double seconds = seconds(job);
        total += seconds;
        runs++;
        return ToolRun.inThisProcess(seconds);
    }

    private double seconds(Job job) throws IOException, InterruptedException {
        Workload workload = job.workload();
        Files.createDirectories(job.target().getParent());
        long start = System.nanoTime();
        StoreLocation from = workload.input().container().open(job.source());
        StoreLocation to = workload.target().create(job.target());
        try (ChunkStore source = from.store();
                ChunkStore target = to.store()) {
            Rechunker.Job copy = Rechunker.from(source.at(from.path()))
                    .to(target.at(to.path()))
                    .chunks(workload.chunks().toArray())
                    .maxMem(workload.maxMem())
                    .shards(Input.shardText(workload.shards()))
                    .codec(workload.codec())
                    .executor(executor);
            if (!workload.axes().isEmpty()) {
                copy = copy.transpose(RechunkTool.axes(workload.axes()));
            }
            if (workload.levels() > 0) {
                copy = copy.levels(workload.levels());
            }
            copy.execute();
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
