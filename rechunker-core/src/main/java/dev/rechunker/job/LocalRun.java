package dev.rechunker.job;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a {@link JobPlan} in this process. It copies every array that is not done, writes the groups, and
 * then checks the result.
 */
final class LocalRun {
    private final JobPlan plan;
    private final RunContext context;
    private final TargetCheck targetCheck;
    private final boolean overwrite;

    LocalRun(JobPlan plan, Executor executor, ProgressListener listener) {
        this.plan = plan;
        this.context = RunContext.of(plan, executor, listener, plan.tasks(), plan.bytesToMove());
        this.overwrite = plan.mayReplaceTarget();
        this.targetCheck = new TargetCheck(plan, overwrite);
    }

    /**
     * Copies and checks everything.
     *
     * @throws dev.rechunker.run.RefusedException if something is in the way; nothing is written then
     */
    Report execute() throws IOException, InterruptedException {
        Options options = plan.options();
        ChecksumFile.requireWritable(options.get(Option.CHECKSUM_FILE));
        if (!options.get(Option.RESUME)) {
            requireNothingThere();
        } else if (new FinishedCopy(context).isThere()) {
            return FinalChecks.end(context);
        }
        if (options.get(Option.DURABLE)) {
            plan.makeDurable();
        }
        try (Recovery recovery = Recovery.open(plan)) {
            if (recovery.holdsTarget()) {
                targetCheck.requireNothingThere(recovery::isBegun);
            }
            targetCheck.requireFree(recovery::isBegun);
            if (plan.spillPeakBytes() > 0) {
                FreeSpace.requireSpill(recovery.spills(), plan.spillPeakBytes(), context.attempts());
            }
            try {
                copy(recovery);
                return FinalChecks.end(context);
            } catch (InterruptedException e) {
                throw FailureMessage.interrupted(e, context, recovery);
            } catch (IOException e) {
                if (Thread.interrupted()) { // which makes operations on files fail
                    throw FailureMessage.interrupted(e, context, recovery);
                }
                throw FailureMessage.of(e, context, recovery);
            } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
                throw FailureMessage.of(FailureMessage.causedBy(e), context, recovery);
            }
        }
    }

    /** Checks that nothing is in the way; if that is what an unfinished run left, the refusal says so. */
    private void requireNothingThere() throws IOException, InterruptedException {
        try {
            targetCheck.requireNothingThere(array -> false);
        } catch (RefusedException e) {
            if (Recovery.hasUnfinished(plan)) {
                throw Recovery.unfinished(plan);
            }
            throw e;
        }
    }

    private void copy(Recovery recovery) throws IOException, InterruptedException {
        Begun begun = new Begun();
        ArrayCopies copies = new ArrayCopies(plan, recovery.spills(), context.attempts(), context.corrupt());
        List<Copying> works = new ArrayList<>();
        for (int number = 0; number < plan.arrays().size(); number++) {
            works.add(new Copying(number, recovery, begun, copies, works));
        }
        plan.announce(context.attempts());
        new ArrayLoop(context, copies).run(works, plan.atOnce());
        plan.publishGroups(context.attempts(), overwrite);
        recovery.finish();
    }

    /** Whether the run has created an array. */
    private static final class Begun {
        private volatile boolean array;
    }

    /** The copy of one array, from its beginning or from where an earlier run ended. */
    private final class Copying implements ArrayLoop.Work {
        private final int number;
        private final JobArray array;
        private final StoreLocation to;
        private final Recovery recovery;
        private final Begun begun;
        private final ArrayCopies copies;
        private final List<Copying> all;
        /** The levels that are made while this array is written; null if there are none. */
        private @Nullable FusedWriting levels;
        /** Whether this array is a level that was made while another array was written. */
        private boolean isMade;

        Copying(int number, Recovery recovery, Begun begun, ArrayCopies copies, List<Copying> all) {
            this.number = number;
            this.array = plan.arrays().get(number);
            this.to = plan.target(array.path());
            this.recovery = recovery;
            this.begun = begun;
            this.copies = copies;
            this.all = all;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public boolean isDone() {
            return isMade || recovery.isCommitted(number);
        }

        @Override
        public TaskLog log() {
            return recovery.log(number);
        }

        /**
         * {@return a writer of the array, created or resumed; empty if an earlier run was killed after it had completed
         * the array}
         */
        @Override
        public Optional<ArrayWriter> openTarget() throws IOException {
            boolean isNew = !recovery.isBegun(number);
            Optional<ArrayWriter> writer = isNew ? Optional.of(create()) : resume();
            if (writer.isPresent()) {
                plan.takeTarget();
                if (isNew) {
                    try {
                        log().recordBegun(Recovery.creation(to));
                        openLevels();
                    } catch (IOException | RuntimeException e) {
                        writer.get().close();
                        throw e;
                    }
                }
            }
            return writer;
        }

        private Optional<ArrayWriter> resume() throws IOException {
            try {
                return Optional.of(context.attempts().ask(() -> recovery.resume(number, to, array.target())));
            } catch (StoreException e) {
                if (!array.isAt(to)) {
                    throw e;
                }
                log().recordCommitted();
                return Optional.empty();
            }
        }

        /**
         * Creates the array. If something has come in the way since the check, and nothing is written, the run is
         * refused.
         */
        private ArrayWriter create() throws IOException {
            try {
                ArrayWriter writer =
                        context.attempts().get(() -> to.store().create(to.path(), array.target(), overwrite));
                begun.array = true;
                return writer;
            } catch (StoreException e) {
                if (!begun.array) {
                    targetCheck.requireFree(recovery::isBegun);
                }
                throw e;
            }
        }

        @Override
        public void copy(CopyRun copy, Executor executor, WorkspacePool workspaces)
                throws IOException, InterruptedException {
            FusedWriting fused = levels;
            try {
                CopyRun whole = fused == null ? copy : copy.making(fused.levels());
                whole.execute(executor, workspaces, context.monitor());
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                closeLevels();
                throw e;
            }
        }

        private void openLevels() throws IOException {
            if (array.fusion().isPresent()) {
                Fusion fusion = array.fusion().get();
                levels = new FusedWriting(
                        context,
                        copies,
                        fusion,
                        level -> all.get(level).openTarget().orElseThrow());
            }
        }

        /** Makes the levels exist that were made while this array was written; others are made later. */
        private void completeLevels() throws IOException {
            FusedWriting fused = levels;
            if (fused == null) {
                return;
            }
            int made;
            try {
                made = fused.commit();
            } finally {
                closeLevels();
            }
            for (Fusion.Level level : array.fusion().orElseThrow().levels().subList(0, made)) {
                Copying copying = all.get(level.array());
                copying.isMade = true;
                copying.log().recordCommitted();
            }
        }

        private void closeLevels() throws IOException {
            FusedWriting fused = levels;
            levels = null;
            if (fused != null) {
                fused.close();
            }
        }

        /** Checks the source: what was recorded may have been read while the source was being removed. */
        @Override
        public void copyFailed(SourceCheck source, IOException failure) {
            try {
                recovery.requireSource(source);
            } catch (IOException gone) {
                failure.addSuppressed(gone);
            }
        }

        @Override
        public void complete(SourceCheck source, ArrayWriter target) throws IOException {
            recovery.requireSource(source);
            recovery.requireTarget(to);
            context.attempts().run(target::commit);
            completeLevels();
        }

        @Override
        public void closed() throws IOException {
            log().recordCommitted();
        }

        /** Notes an array that an earlier run has committed, so that what depends on it is updated. */
        @Override
        public void skip() throws IOException {
            if (isMade) {
                context.monitor().countTasks(array.copy().tasks());
                return;
            }
            context.attempts().run(() -> to.store().noteCommitted(to.path()));
            context.monitor()
                    .countDoneBefore(array.copy().tasks(), array.target().bytes(), true);
        }
    }
}
