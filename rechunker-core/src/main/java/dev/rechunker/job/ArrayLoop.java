package dev.rechunker.job;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.SingleThreadTasks;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.run.Executor;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Ordered;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The loop over the arrays of a plan, both for a run in one process and for a share of a run in several. */
final class ArrayLoop {
    private final RunContext context;
    private final ArrayCopies copies;

    ArrayLoop(RunContext context, ArrayCopies copies) {
        this.context = context;
        this.copies = copies;
    }

    /** What a run does with one array. */
    interface Work {
        /** {@return the number of the array in the plan} */
        int number();

        /** {@return whether there is nothing to do, because an earlier run has completed the array} */
        default boolean isDone() {
            return false;
        }

        /** {@return the log of the tasks of the array that are done} */
        TaskLog log();

        /** {@return a writer of the array; empty if the array turns out to be complete} */
        Optional<ArrayWriter> openTarget() throws IOException;

        /** Copies the array, or some tasks of it, by an executor. */
        void copy(CopyRun copy, Executor executor, WorkspacePool workspaces) throws IOException, InterruptedException;

        /** Called if copying has failed. */
        default void copyFailed(SourceCheck source, IOException failure) {}

        /** Finishes the array, while source and target are open. */
        void complete(SourceCheck source, ArrayWriter target) throws IOException;

        /** Called when the target is closed. */
        default void closed() throws IOException {}

        /** Does what remains to be done for an array that an earlier run has completed. */
        default void skip() throws IOException {}
    }

    /**
     * Does the work of the arrays in their order; that of several small arrays at once.
     *
     * @param small the arrays that may be copied at the same time
     * @throws dev.rechunker.run.TaskFailedException if a task fails
     * @throws IOException if a source has changed since the plan was made, or an array cannot be opened
     * @throws InterruptedException if interrupted, after what was in progress has ended
     */
    void run(List<? extends Work> works, ArraysAtOnce small) throws IOException, InterruptedException {
        int from = 0;
        while (from < works.size()) {
            boolean isSmall = small.contains(works.get(from).number());
            int to = from + 1;
            while (to < works.size() && small.contains(works.get(to).number()) == isSmall) {
                to++;
            }
            if (isSmall) {
                runAtOnce(works.subList(from, to), small);
            } else {
                runInTurn(works.subList(from, to));
            }
            from = to;
        }
    }

    private void runAtOnce(List<? extends Work> works, ArraysAtOnce small) throws IOException, InterruptedException {
        try (WorkspacePool workspaces = context.workspaces(small.stages(), small.heldBytes())) {
            new SingleThreadTasks(
                            "arrays",
                            works.size(),
                            small.most(),
                            context.attempts(),
                            work -> run(works.get(work), new SerialExecutor(), workspaces))
                    .runBy(context.executor());
        }
    }

    /** Does the work of one array after the other. If all arrays can use one workspace, it is created once. */
    private void runInTurn(List<? extends Work> works) throws IOException, InterruptedException {
        JobPlan plan = context.plan();
        if (works.size() > 1 && plan.workspaceIsShared()) {
            try (WorkspacePool workspaces = context.workspaces(plan.stages(), plan.mostHeld())) {
                for (Work work : works) {
                    run(work, context.executor(), workspaces);
                }
            }
        } else {
            for (Work work : works) {
                JobArray array = plan.arrays().get(work.number());
                try (WorkspacePool workspaces = context.workspaces(array.copy().stages(), array.heldBytes())) {
                    run(work, context.executor(), workspaces);
                }
            }
        }
    }

    private void run(Work work, Executor executor, WorkspacePool workspaces) throws IOException, InterruptedException {
        if (work.isDone()) {
            work.skip();
            return;
        }
        JobArray array = context.plan().arrays().get(work.number());
        context.monitor().beginArray(work.number() + 1, context.plan().arrays().size());
        StoreLocation from = context.plan().source(array.path());
        SourceCheck check = new SourceCheck(from, array.source(), context.attempts());
        try (ArrayReader source = check.watch(Ordered.of(
                context.attempts().get(() -> from.store().openReader(from.path())),
                context.plan().request().mostOrdered()))) {
            requireSame(from, array, source);
            Optional<ArrayWriter> opened = work.openTarget();
            if (opened.isEmpty()) {
                work.skip();
                return;
            }
            try (ArrayWriter target = opened.get()) {
                TaskLog log = work.log();
                log.setGuard(check::checkIfMissing);
                try {
                    work.copy(copies.of(work.number(), log, source, target), executor, workspaces);
                } catch (IOException e) {
                    work.copyFailed(check, e);
                    throw e;
                }
                work.complete(check, target);
            }
            work.closed();
        } finally {
            context.monitor().endArray(work.number());
        }
    }

    private static void requireSame(StoreLocation from, JobArray array, ArrayReader source) throws StoreException {
        if (!source.spec().equals(array.source())) {
            throw new StoreException(from + " has changed since the plan was made: it was " + array.source()
                    + ", and is now " + source.spec() + "; plan again");
        }
    }
}
