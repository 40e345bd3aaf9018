package dev.rechunker.job;

import dev.rechunker.exec.SpillPlace;
import dev.rechunker.exec.SpillValues;
import dev.rechunker.exec.Spills;
import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RemoteRun;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.RunValues;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The beginning of a run of one process whose target keeps the journal, but is not in a directory.
 *
 * <p>The spill may be in a directory of a machine. A process on another machine, or after a restart of the machine,
 * resumes the run without it: tasks that wrote to it are done again as far as the target is not complete.
 */
final class RemoteTarget {
    private final RunValues values;
    private final JobPlan plan;
    private final Path spill;
    private final Options options;

    /**
     * Creates it for a plan.
     *
     * @param spill the directory of the spill, unless it is in an object store
     */
    RemoteTarget(RunValues values, JobPlan plan, Path spill) {
        this.values = values;
        this.plan = plan;
        this.spill = spill;
        this.options = plan.options();
    }

    /** {@return where a target keeps the values of a run, if it does} */
    static Optional<RunValues> values(StoreLocation target) throws IOException {
        Optional<Resumable> resumable = target.store().resumable();
        return resumable.isPresent() ? resumable.get().runValues(target.path()) : Optional.empty();
    }

    /** What a run has when it begins. */
    record Begun(RemoteRun place, Journal journal, SpillPlace spills) {}

    /**
     * Takes the target for a run, which may resume an earlier one.
     *
     * @throws RefusedException if another run is writing there, or there is an unfinished run that is not resumed
     */
    Begun begin() throws IOException, InterruptedException {
        RemoteRun place = RemoteRun.take(values).orElseThrow(() -> inUse(values, plan.target("")));
        try {
            return begin(place);
        } catch (IOException | RuntimeException e) {
            place.close();
            throw e;
        }
    }

    static RefusedException inUse(RunValues values, StoreLocation target) {
        return new RefusedException(
                "another process is writing to " + target + " at this moment, as " + values.name() + " says",
                Advice.WAIT,
                Advice.ELSEWHERE);
    }

    private Begun begin(RemoteRun place) throws IOException {
        Optional<Journal> found = place.journal(false);
        String run = "rechunk-" + UUID.randomUUID();
        Fingerprint print = print(run);
        if (found.isEmpty()) {
            return new Begun(place, place.createJournal(print.toString(), false), spills(run));
        }
        Fingerprint left = Fingerprint.parse(found.get().header());
        if (options.get(Option.RESUME) && found.get().isWorthKeeping()) {
            Recovery.requireSame(print.differenceWithoutSpill(left), plan.target(""), place.name());
            return resume(place, left, print);
        }
        if (found.get().isWorthKeeping() && !plan.mayReplaceTarget()) {
            throw Recovery.unfinished(plan.target(""), place.name());
        }
        deleteSpill(left, print);
        return new Begun(place, place.createJournal(print.toString(), false), spills(run));
    }

    private Begun resume(RemoteRun place, Fingerprint left, Fingerprint print) throws IOException {
        boolean spillIsLeft = plan.spillPeakBytes() > 0 && print.hasSpillOf(left) && isThere(spills(left.run()));
        if (spillIsLeft) {
            Journal journal = place.continueJournal(print(left.run()).toString(), (array, stage) -> true);
            return new Begun(place, journal, spills(left.run()));
        }
        deleteSpill(left, print);
        Journal journal = place.continueJournal(print.toString(), this::isLast);
        return new Begun(place, journal, spills(print.run()));
    }

    private static boolean isThere(SpillPlace spills) {
        return spills instanceof SpillValues || (spills instanceof Spills files && Files.isDirectory(files.place()));
    }

    private boolean isLast(int array, int stage) {
        return stage == plan.arrays().get(array).copy().stages().size() - 1;
    }

    private void deleteSpill(Fingerprint left, Fingerprint print) throws IOException {
        Optional<SpillPlace> spills = left.spill(options);
        if (spills.isPresent() && (spills.get() instanceof SpillValues || print.isOfThisStart(left))) {
            spills.get().delete();
        }
    }

    private Fingerprint print(String run) {
        return Fingerprint.of(
                run, plan.source(""), plan.arrays(), plan.spillPeakBytes() > 0 ? spills(run) : null, options);
    }

    private SpillPlace spills(String run) {
        return Recovery.spills(options, spill, run);
    }
}
