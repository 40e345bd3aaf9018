package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Executor;
import dev.rechunker.run.Loss;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import java.util.List;

/**
 * What the parts of one run of a plan have in common.
 *
 * @param plan the plan
 * @param executor runs the tasks
 * @param budget the memory of the run
 * @param recycler takes memory from earlier runs, and leaves it for later ones
 * @param monitor counts what is done
 * @param attempts repeats operations that fail for a reason that may be temporary
 * @param corrupt the source chunks that could not be decoded
 */
record RunContext(
        JobPlan plan,
        Executor executor,
        MemoryBudget budget,
        WorkspaceRecycler recycler,
        Monitor monitor,
        Attempts attempts,
        CorruptChunks corrupt) {
    /**
     * {@return the context of a run that begins now}
     *
     * @param tasks the number of tasks that it will run
     * @param bytesToMove the uncompressed bytes that it will read, write and compare
     */
    static RunContext of(JobPlan plan, Executor executor, ProgressListener listener, long tasks, long bytesToMove) {
        MemoryBudget budget = MemoryBudget.of(plan.projectedMemory());
        return new RunContext(
                plan,
                executor,
                budget,
                new WorkspaceRecycler(executor.memoryCache()),
                new Monitor(listener, budget, tasks, bytesToMove, plan.maxMem().bytes()),
                new Attempts(plan.options().get(Option.RETRIES)),
                new CorruptChunks());
    }

    /** {@return a pool of workspaces for some stages, in which the first one is ready} */
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
    Report.Builder report(List<Loss> losses) {
        return monitor.report(plan.projectedMemory().bytes(), attempts.retried(), corrupt.sentences(), losses);
    }
}
