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
 * The target of a {@link SharedJob}: from its beginning to its end a journal in the target's work directory says whose
 * it is, so that no other run takes it. A target without such a directory has the notes of its arrays only.
 */
final class SharedTarget {
    private SharedTarget() {}

    static void begin(String id, JobPlan plan, SpillPlace spill) throws IOException {
        boolean overwrite = plan.options().get(Option.OVERWRITE);
        TargetCheck vacancy = new TargetCheck(plan, overwrite);
        vacancy.requireNothingThere(array -> false);
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
            vacancy.requireFree(array -> false);
            create(plan, overwrite);
            return;
        }
        Fingerprint print = Fingerprint.ofShared(id, plan.arrays(), bytes > 0 ? spill : null);
        try (RunDirectory directory = Recovery.lock(work.get(), plan.target(""))) {
            OverlappingRuns overlap = new OverlappingRuns(directory, plan.target(""), plan.arrays());
            overlap.refuse();
            Options anew = plan.options().with(Option.RESUME, false);
            Recovery.left(directory, plan.target(""), print, anew, overwrite);
            vacancy.requireFree(array -> false);
            directory
                    .createJournal(print.toString(), plan.options().get(Option.DURABLE))
                    .close();
            try {
                overlap.refuse();
                create(plan, overwrite);
            } catch (IOException | RuntimeException e) {
                directory.deleteJournal();
                throw e;
            }
        }
    }

    private static void create(JobPlan plan, boolean overwrite) throws IOException {
        Attempts attempts = new Attempts(plan.options().get(Option.RETRIES));
        for (JobArray array : plan.arrays()) {
            StoreLocation to = plan.target(array.path());
            attempts.get(() -> to.store().create(to.path(), array.target(), overwrite))
                    .close();
        }
    }

    /** Refuses to write to a target that is not this run's, as far as it can tell. */
    static void requireBegun(String id, JobPlan plan) throws IOException {
        Optional<Path> work = workDirectory(plan);
        if (work.isPresent()
                && !id.equals(RunDirectory.read(work.get())
                        .map(Journal::header)
                        .map(SharedTarget::run)
                        .orElse(null))) {
            throw new RefusedException("this run has not begun at " + plan.target("")
                    + ", or is finished, or another one was begun there since");
        }
    }

    /**
     * {@return the target, for tasks of this run, while which nobody else can begin or finish anything there; nothing
     * where no directory tells that}
     *
     * @throws RefusedException if it is not this run's, or somebody is beginning or finishing something there
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

    /** {@return a writer of an array that other processes write, too} */
    static ArrayWriter writer(StoreLocation target, ArraySpec spec) throws IOException {
        Joinable joinable = target.store()
                .joinable()
                .orElseThrow(() -> new RefusedException(target + " is written by one process"));
        return joinable.join(target.path(), spec);
    }

    private static String run(String header) {
        return Fingerprint.parse(header).run();
    }

    private static Optional<Path> workDirectory(JobPlan plan) throws IOException {
        return Recovery.workDirectory(plan.target(""));
    }

    static Report finish(String id, JobPlan plan, SpillPlace spills, long held)
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
        RunMeans means = RunMeans.of(
                plan,
                plan.options().executor(),
                plan.options().get(Option.LISTENER),
                plan.tasks(),
                plan.bytesToCompare());
        means.monitor().countDoneBefore(plan.tasks(), 0, true);
        means.monitor().recordMemoryElsewhere(held);
        return FinalChecks.end(means);
    }

    /** Removes the directory of a run that was killed before it could: nothing is in it but a lock that nobody has. */
    private static void removeDead(Path work) throws IOException {
        if (Files.isDirectory(work)) {
            Optional<RunDirectory> taken = RunDirectory.lock(work);
            if (taken.isPresent()) {
                taken.get().close();
            }
        }
    }

    /** {@return whether everything is there and nothing is under way, because it was killed after its last step} */
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
            if (!array.isAt(to)) { // else it was killed between this array and the next
                throw e;
            }
            to.store().noteCommitted(to.path());
        }
    }
}
