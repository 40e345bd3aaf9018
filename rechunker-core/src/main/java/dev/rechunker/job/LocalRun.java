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
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
    private void requireNothingThere() throws IOException {
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
        List<Copying> works = IntStream.range(0, plan.arrays().size())
                .mapToObj(number -> new Copying(number, recovery, begun))
                .toList();
        new ArrayLoop(context, new ArrayCopies(plan, recovery.spills(), context.attempts(), context.corrupt()))
                .run(works);
        plan.publishGroups(context.attempts(), overwrite);
        recovery.finish();
    }

    /** Whether the run has created an array. */
    private static final class Begun {
        private boolean array;
    }

    /** The copy of one array, from its beginning or from where an earlier run ended. */
    private final class Copying implements ArrayLoop.Work {
        private final int number;
        private final JobArray array;
        private final StoreLocation to;
        private final Recovery recovery;
        private final Begun begun;

        Copying(int number, Recovery recovery, Begun begun) {
            this.number = number;
            this.array = plan.arrays().get(number);
            this.to = plan.target(array.path());
            this.recovery = recovery;
            this.begun = begun;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public boolean isDone() {
            return recovery.isCommitted(number);
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
            Optional<ArrayWriter> writer = recovery.isBegun(number) ? resume() : Optional.of(create());
            if (writer.isPresent()) {
                plan.takeTarget();
                if (!recovery.isBegun(number)) {
                    recordBegun(writer.get());
                }
            }
            return writer;
        }

        private void recordBegun(ArrayWriter writer) throws IOException {
            try {
                log().recordBegun();
            } catch (IOException | RuntimeException e) {
                writer.close();
                throw e;
            }
        }

        private Optional<ArrayWriter> resume() throws IOException {
            try {
                return Optional.of(context.attempts().ask(() -> Recovery.resume(to, array.target())));
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
        public void copy(CopyRun copy, WorkspacePool workspaces) throws IOException, InterruptedException {
            copy.execute(context.executor(), workspaces, context.monitor());
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
        }

        @Override
        public void closed() throws IOException {
            log().recordCommitted();
        }

        /** Notes an array that an earlier run has committed, so that what depends on it is updated. */
        @Override
        public void skip() throws IOException {
            context.attempts().run(() -> to.store().noteCommitted(to.path()));
            context.monitor()
                    .countDoneBefore(array.copy().tasks(), array.target().bytes(), true);
        }
    }
}
