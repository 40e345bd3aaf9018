package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.run.Difference;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.view.Nodes;
import java.io.IOException;
import java.util.Optional;

/** The result of an earlier run of the same plan that was finished, so that a run that resumes it has nothing to do. */
final class FinishedCopy {
    /** The uncompressed bytes of an array that are compared with the source. */
    private static final double SAMPLE = 16 << 20;

    /** The bytes of the source and the target that are read for a sample, unless its chunks are larger. */
    private static final double MOST_READ = 8 * SAMPLE;

    private final RunContext context;
    private final JobPlan plan;

    FinishedCopy(RunContext context) {
        this.context = context;
        this.plan = context.plan();
    }

    /**
     * {@return whether the target already has every array of the plan}
     *
     * @throws RefusedException if all arrays are there, but they are another copy, by their specifications or by a
     *     sample of their elements
     */
    boolean isThere() throws IOException, InterruptedException {
        boolean isNew =
                plan.arrays().stream().allMatch(array -> array.checks().window().isEmpty());
        if (!isNew || plan.arrays().isEmpty() || Recovery.hasUnfinished(plan)) {
            return false;
        }
        Optional<ChunkStore> reader = openFinished();
        try {
            return isIn(reader.orElse(plan.target("").store()));
        } finally {
            if (reader.isPresent()) {
                reader.get().close();
            }
        }
    }

    private Optional<ChunkStore> openFinished() throws IOException {
        try {
            return plan.target("").store().openFinished();
        } catch (StoreException e) {
            return Optional.empty(); // what is in the way is refused by the other checks
        }
    }

    private boolean isIn(ChunkStore store) throws IOException, InterruptedException {
        if (!allExist(store)) {
            return false;
        }
        for (JobArray array : plan.arrays()) {
            StoreLocation there = at(store, array);
            ArraySpec found = Nodes.array(there).orElseThrow();
            if (!found.dataType().equals(array.target().dataType())) {
                return false; // the format stores such elements in another type
            }
            if (!array.isAt(there) && !isSame(there, found, array.target())) {
                throw another(there + " is not the array that this copy makes");
            }
            if (!isComparable(array, there)) {
                return false;
            }
        }
        for (JobArray array : plan.arrays()) {
            context.monitor()
                    .countDoneBefore(array.copy().tasks(), array.target().bytes(), true);
        }
        return true;
    }

    private StoreLocation at(ChunkStore store, JobArray array) {
        return new StoreLocation(store, plan.target(array.path()).path());
    }

    /** {@return whether an array is the planned one; layout that only a reader knows does not matter} */
    private static boolean isSame(StoreLocation there, ArraySpec found, ArraySpec planned) {
        return found.shape().equals(planned.shape())
                && found.byteOrder().equals(planned.byteOrder())
                && found.attributes().keySet().equals(planned.attributes().keySet())
                && Losses.of(there, planned, found).isEmpty();
    }

    private boolean allExist(ChunkStore store) throws IOException {
        try {
            for (JobArray array : plan.arrays()) {
                if (Nodes.array(at(store, array)).isEmpty()) {
                    return false;
                }
            }
            return true;
        } catch (StoreException e) {
            return false; // the store of a new file cannot be read; what is in the way is refused by the other checks
        }
    }

    /**
     * Compares a sample of an array with its source.
     *
     * @return whether both can be read
     */
    private boolean isComparable(JobArray array, StoreLocation there) throws IOException, InterruptedException {
        if (array.target().shape().isEmpty()) {
            return true;
        }
        StoreLocation from = plan.source(array.path());
        try (ArrayReader one = from.store().openReader(from.path());
                ArrayReader other = there.store().openReader(there.path())) {
            Optional<Difference> difference = ArrayComparison.plan(
                            one.spec(),
                            one.traits(),
                            other.spec(),
                            other.traits(),
                            plan.maxMem(),
                            context.executor().threads(),
                            Math.min(1, SAMPLE / Math.max(1, array.target().bytes())))
                    .readingAtMost(MOST_READ)
                    .run(one, other, MemoryBudget.of(plan.maxMem()))
                    .difference();
            if (difference.isPresent()) {
                throw another(difference.get().of(from.toString(), there.toString()));
            }
            return true;
        } catch (RefusedException e) {
            throw e;
        } catch (StoreException e) {
            return false; // for example a corrupt chunk of the source
        }
    }

    private RefusedException another(String why) {
        return new RefusedException(
                "the target " + plan.target("") + " exists, but is not the result of this copy: " + why,
                Advice.ELSEWHERE,
                Advice.OVERWRITE);
    }
}
