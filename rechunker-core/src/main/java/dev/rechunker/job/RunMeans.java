package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import java.util.List;

/**
 * What one run of a plan works with.
 *
 * @param plan the plan
 * @param executor who runs the tasks
 * @param budget the memory
 * @param recycler where memory comes from, and is left to later runs
 * @param monitor counts what is done
 * @param attempts by which is tried again what fails in a way that may pass
 * @param corrupt the source chunks that could not be decoded
 */
record RunMeans(
        JobPlan plan,
        Executor executor,
        MemoryBudget budget,
        WorkspaceRecycler recycler,
        Monitor monitor,
        Attempts attempts,
        CorruptChunks corrupt) {
    /**
     * {@return the means of a run that begins now}
     *
     * @param tasks the tasks that it will run
     * @param bytesToMove uncompressed bytes that it will read, write and compare
     */
    static RunMeans of(JobPlan plan, Executor executor, ProgressListener listener, long tasks, long bytesToMove) {
        MemoryBudget budget = MemoryBudget.of(plan.projectedMemory());
        return new RunMeans(
                plan,
                executor,
                budget,
                new WorkspaceRecycler(executor.memoryCache()),
                new Monitor(listener, budget, tasks, bytesToMove, plan.maxMem().bytes()),
                new Attempts(plan.options().get(Option.RETRIES)),
                new CorruptChunks());
    }

    /** {@return a pool of workspaces for some stages, which is ready to hand out the first one} */
    WorkspacePool workspaces(List<Stage> stages, long heldBytes) throws InterruptedException {
        WorkspacePool pool = new WorkspacePool(budget, stages, heldBytes, recycler);
        try {
            pool.prepare();
        } catch (InterruptedException | RuntimeException | Error e) {
            pool.close();
            throw e;
        }
        return pool;
    }

    /** {@return a report of what has been done so far} */
    Report.Builder report(List<String> losses) {
        return monitor.report(plan.projectedMemory().bytes(), attempts.retried(), corrupt.sentences(), losses);
    }
}
