package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The target of a {@link SharedJob}. While the run is in progress, a journal in the work directory of the target
 * reserves the target for it. Without a work directory, other runs are only refused as far as the store itself notes
 * arrays that are being written.
 */
final class SharedTarget {
    private SharedTarget() {}

    static void begin(String id, JobPlan plan, SpillPlace spill) throws IOException {
        boolean overwrite = plan.options().get(Option.OVERWRITE);
        TargetCheck check = new TargetCheck(plan, overwrite);
        check.requireNothingThere(array -> false);
        if (plan.options().get(Option.DURABLE)) {
            plan.makeDurable();
        }
        long bytes = plan.arrays().stream()
                .mapToLong(array -> array.temporaryCopies() * array.target().bytes())
                .sum();
        if (bytes > 0) {
            FreeSpace.requireSpill(spill, bytes, new Attempts(plan.options().get(Option.RETRIES)));
        }
        Optional<Path> work = workDirectory(plan);
        if (work.isEmpty()) {
            check.requireFree(array -> false);
            create(plan, overwrite, spill);
            return;
        }
        Fingerprint print = Fingerprint.ofShared(id, plan.arrays(), bytes > 0 ? spill : null);
        try (RunDirectory directory = Recovery.lock(work.get(), plan.target(""))) {
            OverlappingRuns overlap = new OverlappingRuns(directory, plan.target(""), plan.arrays());
            overlap.refuse();
            Options notResuming = plan.options().with(Option.RESUME, false);
            Recovery.resumeOrDiscard(directory, plan.target(""), print, notResuming, overwrite);
            check.requireFree(array -> false);
            directory
                    .createJournal(print.toString(), plan.options().get(Option.DURABLE))
                    .close();
            try {
                overlap.refuse();
                create(plan, overwrite, spill);
            } catch (IOException | RuntimeException e) {
                directory.deleteJournal();
                throw e;
            }
        }
    }

    private static void create(JobPlan plan, boolean overwrite, SpillPlace spill) throws IOException {
        Attempts attempts = new Attempts(plan.options().get(Option.RETRIES));
        for (JobArray array : plan.arrays()) {
            StoreLocation to = plan.target(array.path());
            attempts.get(() -> to.store().create(to.path(), array.target(), overwrite))
                    .close();
        }
        if (plan.spillPeakBytes() > 0) {
            createSpill(plan, spill, attempts);
        }
    }

    private static void createSpill(JobPlan plan, SpillPlace spill, Attempts attempts) throws IOException {
        try {
            attempts.run(spill::begin);
            for (int i = 0; i < plan.arrays().size(); i++) {
                JobArray array = plan.arrays().get(i);
                spill.createBlocks(i, array.copy(), array.source());
            }
        } catch (IOException | RuntimeException e) {
            spill.delete();
            throw e;
        }
    }

    /** Checks that the target is reserved for this run, if the target supports that. */
    static void requireBegun(String id, JobPlan plan) throws IOException {
        Optional<Path> work = workDirectory(plan);
        if (work.isPresent()
                && !id.equals(RunDirectory.read(work.get())
                        .map(Journal::header)
                        .map(SharedTarget::run)
                        .orElse(null))) {
            throw new RefusedException("this run has not begun at " + plan.target("")
                    + ", or it is finished, or another run has begun there");
        }
    }

    /**
     * Locks the target for tasks of this run, so that no process can begin or finish a run there meanwhile. Does
     * nothing if the target has no work directory.
     *
     * @return a resource that unlocks the target when it is closed
     * @throws RefusedException if the target is not reserved for this run, or a process is beginning or finishing a run
     *     there
     */
    static Closeable join(String id, JobPlan plan) throws IOException {
        requireBegun(id, plan);
        Optional<Path> work = workDirectory(plan);
        if (work.isEmpty()) {
            return () -> {};
        }
        Optional<RunDirectory> joined = RunDirectory.join(work.get());
        if (joined.isEmpty()) {
            throw Recovery.inUse(work.get(), plan.target(""));
        }
        try {
            requireBegun(id, plan); // it may have ended before it was joined
            return joined.get();
        } catch (IOException e) {
            joined.get().close();
            throw e;
        }
    }

    /** {@return a writer of an array that other processes also write} */
    static ArrayWriter writer(StoreLocation target, ArraySpec spec) throws IOException {
        Joinable joinable = target.store()
                .joinable()
                .orElseThrow(() -> new RefusedException(target + " can only be written by one process"));
        return joinable.join(target.path(), spec);
    }

    private static String run(String header) {
        return Fingerprint.parse(header).run();
    }

    private static Optional<Path> workDirectory(JobPlan plan) throws IOException {
        return Recovery.workDirectory(plan.target(""));
    }

    static Report finish(String id, JobPlan plan, SpillPlace spills, long measuredMemory)
            throws IOException, InterruptedException {
        Optional<Path> work = workDirectory(plan);
        if (isFinished(plan)) {
            spills.delete();
            if (work.isPresent()) {
                removeDead(work.get());
            }
        } else if (work.isEmpty()) {
            spills.delete();
            publish(plan);
        } else {
            try (RunDirectory directory = Recovery.lock(work.get(), plan.target(""))) {
                requireBegun(id, plan);
                spills.delete();
                publish(plan);
                directory.deleteJournal();
            }
        }
        RunContext context = RunContext.of(
                plan,
                plan.options().executor(),
                plan.options().get(Option.LISTENER),
                plan.tasks(),
                plan.bytesToCompare());
        context.monitor().countDoneBefore(plan.tasks(), 0, true);
        context.monitor().recordMemoryElsewhere(measuredMemory);
        return FinalChecks.end(context);
    }

    /**
     * Removes the directory of a run that was killed before it did so. It contains only a lock file that is not locked.
     */
    private static void removeDead(Path work) throws IOException {
        if (Files.isDirectory(work)) {
            Optional<RunDirectory> taken = RunDirectory.lock(work);
            if (taken.isPresent()) {
                taken.get().close();
            }
        }
    }

    /**
     * {@return whether every array exists and no run is in progress, as after a run that was killed after its last
     * step}
     */
    private static boolean isFinished(JobPlan plan) throws IOException {
        Optional<Path> work = workDirectory(plan);
        if (work.isEmpty() || RunDirectory.read(work.get()).isPresent()) {
            return false;
        }
        for (JobArray array : plan.arrays()) {
            if (!array.isAt(plan.target(array.path()))) {
                return false;
            }
        }
        return true;
    }

    private static void publish(JobPlan plan) throws IOException {
        Attempts attempts = new Attempts(plan.options().get(Option.RETRIES));
        for (JobArray array : plan.arrays()) {
            attempts.run(() -> commit(plan.target(array.path()), array));
        }
        plan.publishGroups(attempts, plan.options().get(Option.OVERWRITE));
    }

    private static void commit(StoreLocation to, JobArray array) throws IOException {
        try (ArrayWriter writer = writer(to, array.target())) {
            writer.commit();
        } catch (StoreException e) {
            if (!array.isAt(to)) { // otherwise a process was killed after it had committed the array
                throw e;
            }
            to.store().noteCommitted(to.path());
        }
    }
}
