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
        return stages.stream().mapToLong(stage -> stage.memory().total()).max().orElse(0);
    }
}
