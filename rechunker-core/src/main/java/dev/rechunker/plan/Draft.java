package dev.rechunker.plan;

import java.util.List;

/**
 * A strategy worked out to its stages.
 *
 * @param strategy the strategy
 * @param stages its stages
 * @param cost what it takes
 * @param requiredSpeedup how many times faster than others it has to be besides what its copies have to save
 */
record Draft(Strategy strategy, List<Stage> stages, Cost cost, double requiredSpeedup) {
    /**
     * How many times faster a draft has to be for one more copy of everything, which takes room and wears the device.
     */
    static final double COPY_MUST_SAVE = 4;

    /** A draft that has to save nothing for what it is. */
    Draft(Strategy strategy, List<Stage> stages, Cost cost) {
        this(strategy, stages, cost, 1);
    }

    /** {@return this draft, which has to be so many times faster than others} */
    Draft requiring(double times) {
        return new Draft(strategy, stages, cost, times);
    }

    /**
     * {@return the time as it counts for the choice: what requests cost on a given machine is a guess, so that a draft
     * has to be much faster for every copy that it makes; to read bytes more than once counts as one}
     */
    double weightedSeconds() {
        int copies = strategy.copies().isEmpty() && !readsOnce()
                ? 1
                : strategy.copies().size();
        return cost.seconds() * Math.pow(COPY_MUST_SAVE, copies) * requiredSpeedup;
    }

    /** {@return whether it reads every byte once, and makes no second copy} */
    boolean readsOnce() {
        return cost.spillBytes() == 0 && cost.bytesRead() <= cost.bytesWritten();
    }

    /** {@return the most bytes held at once} */
    long memory() {
        return Stage.totalBytes(stages);
    }

    /**
     * {@return this draft with the time that so many processes take for it}
     *
     * <p>The stages take the same share of the time of one process each. The process with the most tasks takes the
     * longest; and as tasks are not equally long, and some are lost, all wait for about one more.
     */
    Draft sharedBy(int workers) {
        double share = 0;
        for (Stage stage : stages) {
            double tasks = stage.tasks();
            share += Math.min(1, (Math.ceil(tasks / workers) + 1) / tasks) / stages.size();
        }
        return workers == 1
                ? this
                : new Draft(strategy, stages, cost.withSeconds(cost.seconds() * share), requiredSpeedup);
    }
}
