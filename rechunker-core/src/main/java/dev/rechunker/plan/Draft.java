package dev.rechunker.plan;

import java.util.List;

/**
 * A candidate for a plan.
 *
 * @param strategy the strategy
 * @param stages the stages that carry it out
 * @param cost what they cost
 * @param requiredSpeedup how many times faster than others this draft must be to be chosen, in addition to what is
 *     required for its copies
 */
record Draft(Strategy strategy, List<Stage> stages, Cost cost, double requiredSpeedup) {
    /** How many times faster a draft must be for each temporary copy, which takes space and wears out the device. */
    static final double COPY_MUST_SAVE = 4;

    /** Creates a draft that only has to be faster than others. */
    Draft(Strategy strategy, List<Stage> stages, Cost cost) {
        this(strategy, stages, cost, 1);
    }

    /** {@return this draft with another required speedup} */
    Draft requiring(double times) {
        return new Draft(strategy, stages, cost, times);
    }

    /**
     * {@return the time by which drafts are compared} The cost of a request on a given machine is a guess. So a draft
     * must be much faster for each temporary copy that it makes. Reading bytes more than once counts like one copy.
     */
    double weightedSeconds() {
        int copies = strategy.copies().isEmpty() && !readsOnce()
                ? 1
                : strategy.copies().size();
        return cost.seconds() * Math.pow(COPY_MUST_SAVE, copies) * requiredSpeedup;
    }

    /** {@return whether it reads every byte once, and makes no temporary copy} */
    boolean readsOnce() {
        return cost.spillBytes() == 0 && cost.bytesRead() <= cost.bytesWritten();
    }

    /** {@return the most bytes in use at the same time} */
    long memory() {
        return Stage.totalBytes(stages);
    }

    /**
     * {@return this draft with the time that a number of processes take for it}
     *
     * <p>All stages are taken to need the same share of the time. The process with the most tasks takes the longest.
     * Tasks are not equally long, and some have to be repeated, so all processes wait for about one more task.
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
