package dev.rechunker.job;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.exec.SpillValues;
import dev.rechunker.exec.Spills;
import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RemoteRun;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.journal.RunPlace;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.RunValues;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a run keeps until it is done, so that it can be resumed: its journal and its spill, in a directory of the target
 * that it locks, or in values of an object store that no other run uses. Nothing is kept if the target does not support
 * resuming.
 */
final class Recovery implements Closeable {
    private final @Nullable RunPlace place;
    private final @Nullable Journal journal;
    private final SpillPlace spills;
    private final Closeable hold;
    private boolean finished;
    private boolean hasSourceChanged;

    private Recovery(@Nullable RunPlace place, @Nullable Journal journal, SpillPlace spills, Closeable hold) {
        this.place = place;
        this.journal = journal;
        this.spills = spills;
        this.hold = hold;
    }

    /**
     * Locks the target for a run of a plan, which may resume an earlier one.
     *
     * @throws RefusedException if another run is writing there, or there is an unfinished run that is not resumed
     */
    static Recovery open(JobPlan plan) throws IOException, InterruptedException {
        StoreLocation target = plan.target("");
        List<JobArray> arrays = plan.arrays();
        Options options = plan.options();
        Optional<Path> work = workDirectory(target);
        Path spill = options.get(Option.SPILL)
                .or(() -> work)
                .or(() -> target.store().localDirectory())
                .orElse(Path.of(System.getProperty("java.io.tmpdir")));
        Optional<RunValues> values = RemoteTarget.values(target);
        if (values.isPresent()) {
            RemoteTarget.Begun begun = new RemoteTarget(values.get(), plan, spill).begin();
            return new Recovery(begun.place(), begun.journal(), begun.spills(), () -> {});
        }
        if (work.isEmpty()) {
            if (options.get(Option.RESUME)) {
                throw new RefusedException(
                        target + " does not support resuming: a run that failed must be started again",
                        Advice.NO_RESUME);
            }
            SpillPlace temporary = options.get(Option.SPILL_STORE)
                    .<SpillPlace>map(SpillValues::temporary)
                    .orElseGet(() -> Spills.temporary(
                            spill, options.get(Option.SPILL_CODEC).orElse(null)));
            RunDirectory existing = lockExisting(plan.lock(), target);
            try {
                if (existing != null) {
                    new OverlappingRuns(existing, target, arrays).refuse();
                }
                return new Recovery(existing, null, temporary, hold(plan.lock()));
            } catch (IOException | RuntimeException e) {
                if (existing != null) {
                    existing.close();
                }
                throw e;
            }
        }
        RunDirectory directory = lock(work.get(), target);
        try {
            String run = "rechunk-" + UUID.randomUUID();
            SpillPlace place = spills(options, spill, run);
            Fingerprint print =
                    Fingerprint.of(run, plan.source(""), arrays, plan.spillPeakBytes() > 0 ? place : null, options);
            OverlappingRuns overlap = new OverlappingRuns(directory, target, arrays);
            overlap.refuse();
            Optional<Journal> left = resumeOrDiscard(directory, target, print, options, plan.mayReplaceTarget());
            Journal journal = left.isPresent()
                    ? left.get()
                    : directory.createJournal(print.toString(), options.get(Option.DURABLE));
            try {
                overlap.refuse();
            } catch (IOException | RuntimeException e) {
                journal.close();
                if (left.isEmpty()) {
                    directory.deleteJournal();
                }
                throw e;
            }
            String name = Fingerprint.parse(journal.header()).run();
            return new Recovery(directory, journal, spills(options, spill, name), () -> {});
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** {@return the work directory of a target, if it has one} */
    static Optional<Path> directory(StoreLocation target) throws IOException {
        Optional<Resumable> resumable = target.store().resumable();
        return resumable.isEmpty() || RemoteTarget.values(target).isPresent()
                ? Optional.empty()
                : Optional.of(resumable.get().workDirectory(target.path()));
    }

    /** {@return a writer that resumes an array that an earlier run began} */
    ArrayWriter resume(int array, StoreLocation target, ArraySpec spec) throws IOException {
        Resumable resumable = target.store()
                .resumable()
                .orElseThrow(() -> new RefusedException(target + " cannot be resumed", Advice.RESTART));
        ArrayWriter writer = resumable.resume(target.path(), spec);
        long begun = requireNonNull(journal, "the journal of the earlier run").creation(array);
        if (creation(target) != begun) {
            writer.close();
            throw new StoreException(
                    target + " cannot be resumed: another run has begun to write it again", Advice.RESTART);
        }
        return writer;
    }

    /** {@return a number that identifies the creation of an unfinished array, if the store has such numbers} */
    static long creation(StoreLocation target) throws IOException {
        Optional<Resumable> resumable = target.store().resumable();
        return resumable.isPresent() ? resumable.get().creation(target.path()) : 0;
    }

    /**
     * {@return the work directory of a target, if it has one}
     *
     * @throws RefusedException if it is not possible
     */
    static Optional<Path> workDirectory(StoreLocation target) throws IOException {
        try {
            return directory(target);
        } catch (StoreException e) {
            throw new RefusedException(e);
        }
    }

    /** {@return whether an unfinished run of one process, which can be resumed, has left its journal at a target} */
    static boolean hasUnfinished(JobPlan plan) throws IOException {
        return unfinished(plan.target("")).isPresent();
    }

    /** {@return the fingerprint of an unfinished run of one process that has left its journal at a target} */
    static Optional<Fingerprint> unfinished(StoreLocation target) throws IOException {
        Optional<Path> work = workDirectory(target);
        Optional<RunValues> values = RemoteTarget.values(target);
        Optional<Journal> journal = Optional.empty();
        if (work.isPresent()) {
            journal = RunDirectory.read(work.get());
        } else if (values.isPresent()) {
            journal = RemoteRun.read(values.get());
        }
        return journal.filter(Journal::isWorthKeeping)
                .map(left -> Fingerprint.parse(left.header()))
                .filter(print -> !print.isShared());
    }

    /** {@return the refusal of a target that has an unfinished run, or one that is in progress} */
    static RefusedException unfinished(JobPlan plan) throws IOException, InterruptedException {
        StoreLocation target = plan.target("");
        Optional<RunValues> values = RemoteTarget.values(target);
        if (values.isPresent()) {
            return RemoteRun.isInUse(values.get())
                    ? RemoteTarget.inUse(values.get(), target)
                    : unfinished(target, values.get().name());
        }
        Path work = workDirectory(target).orElseThrow();
        return RunDirectory.isInUse(work) ? inUse(work, target) : unfinished(target, work.toString());
    }

    /** {@return the refusal of a target that has an unfinished run, whose journal is in a place} */
    static RefusedException unfinished(StoreLocation target, String place) {
        return new RefusedException(isUnfinished(target, place), Advice.RESUME, Advice.RESTART);
    }

    private static String isUnfinished(StoreLocation target, String place) {
        return target + " has an unfinished run, kept in " + place;
    }

    /**
     * Refuses to resume a run that differs from this one.
     *
     * @param difference what differs; empty if nothing does
     */
    static void requireSame(Optional<String> difference, StoreLocation target, String place) throws RefusedException {
        if (difference.isPresent()) {
            throw new RefusedException(
                    isUnfinished(target, place) + ", and this run differs from it: " + difference.get(),
                    Advice.of("run-the-same", "use the same source, memory limit and options"),
                    Advice.of("restart-without-resume", "start again with overwrite() and without resume()"));
        }
    }

    /** Locks the directory of existing arrays that are written into, if they have one; nothing is kept there. */
    private static @Nullable RunDirectory lockExisting(TargetLock existing, StoreLocation target) throws IOException {
        Optional<Path> work = existing.directory();
        return work.isEmpty() ? null : lock(work.get(), target);
    }

    /** Locks existing arrays that are written into, also without a directory. */
    private static Closeable hold(TargetLock existing) throws IOException {
        try {
            return existing.hold();
        } catch (StoreException e) {
            throw new RefusedException(e);
        }
    }

    /** {@return the place of the spill of a run that can be resumed} */
    static SpillPlace spills(Options options, Path directory, String run) {
        return options.get(Option.SPILL_STORE)
                .<SpillPlace>map(store -> new SpillValues(store, run, true))
                .orElseGet(() -> new Spills(
                        directory, run, options.get(Option.SPILL_CODEC).orElse(null)));
    }

    /**
     * Locks the work directory of a target.
     *
     * @throws RefusedException if another run has locked it, or nothing can be written there
     */
    static RunDirectory lock(Path work, StoreLocation target) throws IOException {
        Optional<RunDirectory> taken;
        try {
            taken = RunDirectory.lock(work);
        } catch (FileSystemException e) {
            throw new RefusedException(
                    target + " cannot be written: no file can be created in " + Spills.existing(work) + " ("
                            + StoreException.reasonWithoutFile(e) + ")",
                    e,
                    Advice.ELSEWHERE);
        }
        if (taken.isEmpty()) {
            throw inUse(work, target);
        }
        return taken.get();
    }

    /** {@return the refusal of a target whose directory another run has locked} */
    static RefusedException inUse(Path work, StoreLocation target) throws IOException {
        return new RefusedException(
                RunDirectory.describeUser(work) + " is writing to " + target + " at this moment",
                Advice.WAIT,
                Advice.ELSEWHERE);
    }

    /**
     * Opens the journal of an unfinished run that is resumed, or deletes the files of one that is not.
     *
     * @return the journal; empty if no run is resumed
     * @throws RefusedException if there is an unfinished run that is neither resumed nor overwritten
     */
    static Optional<Journal> resumeOrDiscard(
            RunDirectory directory, StoreLocation target, Fingerprint print, Options options, boolean overwrite)
            throws IOException {
        if (!directory.hasJournal()) {
            return Optional.empty();
        }
        String unfinished = isUnfinished(target, directory.name());
        Optional<Journal> found = directory.journal(options.get(Option.DURABLE));
        if (found.isEmpty()) {
            if (!overwrite) {
                throw new RefusedException(unfinished + ", but its journal cannot be read", Advice.RESTART);
            }
            Spills.deleteAll(directory.path());
            directory.deleteJournal();
            return Optional.empty();
        }
        Journal journal = found.get();
        Fingerprint left = Fingerprint.parse(journal.header());
        if (left.isShared() && !overwrite) {
            journal.close();
            throw new RefusedException(
                    unfinished + ", which several processes share",
                    Advice.of("finish", "finish it by its plan"),
                    Advice.RESTART);
        }
        if (options.get(Option.RESUME) && journal.isWorthKeeping() && !left.isShared()) {
            try {
                requireSame(print.difference(left), target, directory.name());
            } catch (RefusedException e) {
                journal.close();
                throw e;
            }
            return found;
        }
        journal.close();
        if (journal.isWorthKeeping() && !overwrite) {
            throw unfinished(target, directory.name());
        }
        Optional<SpillPlace> spill = left.spill(options);
        if (spill.isPresent()) {
            spill.get().delete();
        }
        directory.deleteJournal();
        return Optional.empty();
    }

    SpillPlace spills() {
        return spills;
    }

    /** {@return whether the target is locked against other runs} */
    boolean holdsTarget() {
        return place != null;
    }

    /** Checks that the target was not removed while it was written, and that no other process has taken it over. */
    void requireTarget(StoreLocation target) throws IOException {
        if (place != null && !place.exists()) {
            if (place instanceof RemoteRun remote && remote.isTaken()) {
                throw new StoreException("the copy to " + target + " was resumed by another process, which took this"
                        + " one for dead, as " + place.name() + " says; leave the rest to it");
            }
            throw new StoreException(target + " was removed, at least in part, while it was being written: "
                    + place.name() + " does not exist any more; remove the rest of the target, and copy again");
        }
    }

    /** {@return whether an earlier run began an array, which it may have completed} */
    boolean isBegun(int array) {
        return journal != null && journal.isBegun(array);
    }

    /** {@return whether an earlier run has completed an array} */
    boolean isCommitted(int array) {
        return journal != null && journal.isCommitted(array);
    }

    TaskLog log(int array) {
        return journal == null ? TaskLog.none() : journal.array(array);
    }

    /** {@return the place from which a failed run can be resumed; empty if nothing is kept} */
    Optional<String> kept() {
        return place != null && isThere(place) && isWorthKeeping() && !finished
                ? Optional.of(place.name())
                : Optional.empty();
    }

    private static boolean isThere(RunPlace place) {
        try {
            return place.exists();
        } catch (IOException e) {
            return true; // it cannot be reached at the moment
        }
    }

    /** {@return whether everything is written} */
    boolean isFinished() {
        return finished;
    }

    /** Checks that the source has not changed; otherwise the run cannot be resumed. */
    void requireSource(SourceCheck check) throws IOException {
        try {
            check.requireUnchanged();
        } catch (StoreException e) {
            hasSourceChanged = true;
            throw e;
        }
    }

    private boolean isWorthKeeping() {
        return journal != null && journal.isWorthKeeping() && !hasSourceChanged;
    }

    /** Notes that everything is written, so that nothing has to be kept. */
    void finish() {
        finished = true;
    }

    @Override
    public void close() throws IOException {
        try (place;
                hold) {
            if (place == null || journal == null) {
                return;
            }
            journal.close();
            boolean isTaken = place instanceof RemoteRun remote && remote.isLost();
            if ((finished || !isWorthKeeping()) && !isTaken) {
                spills.delete();
                place.deleteJournal();
            }
        }
    }
}
