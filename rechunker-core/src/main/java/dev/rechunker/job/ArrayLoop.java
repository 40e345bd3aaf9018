package dev.rechunker.job;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The loop over the arrays of a plan, for a run of one process as for tasks of one that several share. */
final class ArrayLoop {
    private final RunMeans means;
    private final ArrayCopies copies;

    ArrayLoop(RunMeans means, ArrayCopies copies) {
        this.means = means;
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

        /** {@return what is known to be done of the array, and where tasks are recorded} */
        TaskLog log();

        /** {@return a writer of the array; empty if it turns out to be complete} */
        Optional<ArrayWriter> openTarget() throws IOException;

        /** Copies the array, or some tasks of it. */
        void copy(CopyRun copy, WorkspacePool workspaces) throws IOException, InterruptedException;

        /** Notes that copying has failed. */
        default void copyFailed(SourceCheck source, IOException failure) {}

        /** Finishes what was copied, while source and target are open. */
        void complete(SourceCheck source, ArrayWriter target) throws IOException;

        /** Notes that the target is closed. */
        default void closed() throws IOException {}

        /** Does what is left to do for an array that an earlier run has completed. */
        default void skip() throws IOException {}
    }

    /**
     * Does some work, one array after the other. If all arrays fit into one workspace, it is made once.
     *
     * @throws dev.rechunker.run.TaskFailedException if a task fails
     * @throws IOException if a source is not what it was when the plan was made, or an array cannot be opened
     * @throws InterruptedException if interrupted, after what was in progress has ended
     */
    void run(List<? extends Work> works) throws IOException, InterruptedException {
        JobPlan plan = means.plan();
        if (works.size() > 1 && plan.workspaceIsShared()) {
            try (WorkspacePool workspaces = means.workspaces(plan.stages(), plan.mostHeld())) {
                for (Work work : works) {
                    run(work, workspaces);
                }
            }
        } else {
            for (Work work : works) {
                JobArray array = plan.arrays().get(work.number());
                try (WorkspacePool workspaces = means.workspaces(array.copy().stages(), array.heldBytes())) {
                    run(work, workspaces);
                }
            }
        }
    }

    private void run(Work work, WorkspacePool workspaces) throws IOException, InterruptedException {
        if (work.isDone()) {
            work.skip();
            return;
        }
        JobArray array = means.plan().arrays().get(work.number());
        StoreLocation from = means.plan().source(array.path());
        SourceCheck check = new SourceCheck(from, array.source(), means.attempts());
        try (ArrayReader source =
                check.watch(means.attempts().get(() -> from.store().openReader(from.path())))) {
            requireSame(from, array, source);
            Optional<ArrayWriter> opened = work.openTarget();
            if (opened.isEmpty()) {
                work.skip();
                return;
            }
            try (ArrayWriter target = opened.get()) {
                TaskLog log = work.log();
                log.setGuard(check::explainMissing);
                try {
                    work.copy(copies.of(work.number(), log, source, target), workspaces);
                } catch (IOException e) {
                    work.copyFailed(check, e);
                    throw e;
                }
                work.complete(check, target);
            }
            work.closed();
        }
    }

    private static void requireSame(StoreLocation from, JobArray array, ArrayReader source) throws StoreException {
        if (!source.spec().equals(array.source())) {
            throw new StoreException(from + " is not what it was when the plan was made: " + array.source() + ", now "
                    + source.spec() + "; plan again");
        }
    }
}
