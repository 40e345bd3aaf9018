package dev.rechunker.plan;

import java.util.List;

/**
 * A strategy worked out to its stages.
 *
 * @param strategy the strategy
 * @param stages its stages
 * @param cost what it takes
 */
record Draft(Strategy strategy, List<Stage> stages, Cost cost) {
    /** {@return the most bytes held at once} */
    long memory() {
        return Stage.heldBy(stages);
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
        return workers == 1 ? this : new Draft(strategy, stages, cost.taking(cost.seconds() * share));
    }
}
