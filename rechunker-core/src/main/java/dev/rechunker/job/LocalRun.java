package dev.rechunker.job;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** One execution of a {@link JobPlan} in this process: every array that is not done, then the groups, then checks. */
final class LocalRun {
    private final JobPlan plan;
    private final RunMeans means;
    private final TargetCheck targetCheck;
    private final boolean overwrite;

    LocalRun(JobPlan plan, Executor executor, ProgressListener listener) {
        this.plan = plan;
        this.means = RunMeans.of(plan, executor, listener, plan.tasks(), plan.bytesToMove());
        this.overwrite = plan.mayReplaceTarget();
        this.targetCheck = new TargetCheck(plan, overwrite);
    }

    /**
     * Copies and checks everything.
     *
     * @throws dev.rechunker.run.RefusedException if something is in the way, before anything is written
     */
    Report execute() throws IOException, InterruptedException {
        Options options = plan.options();
        ChecksumFile.requireWritable(options.get(Option.CHECKSUM_FILE));
        if (!options.get(Option.RESUME)) {
            targetCheck.requireNothingThere(array -> false);
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
                FreeSpace.requireSpill(recovery.spills(), plan.spillPeakBytes(), means.attempts());
            }
            try {
                copy(recovery);
                return FinalChecks.end(means);
            } catch (IOException e) {
                throw FailureMessage.of(e, means, recovery);
            }
        }
    }

    private void copy(Recovery recovery) throws IOException, InterruptedException {
        Begun begun = new Begun();
        List<Copying> works = IntStream.range(0, plan.arrays().size())
                .mapToObj(number -> new Copying(number, recovery, begun))
                .toList();
        new ArrayLoop(means, new ArrayCopies(plan, recovery.spills(), means.attempts(), means.corrupt())).run(works);
        plan.publishGroups(means.attempts(), overwrite);
        recovery.finish();
    }

    /** Whether the run has begun to write. */
    private static final class Begun {
        private boolean array;
    }

    /** The copy of one array, from its beginning or from where an earlier run has ended. */
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

        /** {@return a writer of the array, created or resumed; empty if an earlier run was killed as it was done} */
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
                return Optional.of(means.attempts().ask(() -> Recovery.resume(to, array.target())));
            } catch (StoreException e) {
                if (!array.isAt(to)) {
                    throw e;
                }
                log().recordCommitted();
                return Optional.empty();
            }
        }

        /** Creates the array. What got in the way since the run looked refuses it, as long as it wrote nothing. */
        private ArrayWriter create() throws IOException {
            try {
                ArrayWriter writer =
                        means.attempts().get(() -> to.store().create(to.path(), array.target(), overwrite));
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
            copy.execute(means.executor(), workspaces, means.monitor());
        }

        /** What was recorded may have been read from a source that was being removed. */
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
            means.attempts().run(target::commit);
        }

        @Override
        public void closed() throws IOException {
            log().recordCommitted();
        }

        /** Of an array that an earlier run has committed only what depends on it may still have to be done. */
        @Override
        public void skip() throws IOException {
            means.attempts().run(() -> to.store().noteCommitted(to.path()));
            means.monitor().countDoneBefore(array.copy().tasks(), array.target().bytes(), true);
        }
    }
}
