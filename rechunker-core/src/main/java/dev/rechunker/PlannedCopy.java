package dev.rechunker;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Strategy;
import java.util.List;

/**
 * How one array is copied: the strategy, its stages, and what they take. Part of an {@link ArrayPlan}, or made from
 * numbers alone by {@link Estimate}.
 */
public final class PlannedCopy {
    private final CopyPlan copy;
    private final long afterwards;

    /** Creates it of the engine's plan; {@code afterwards} is the least bound for what follows the copy. */
    PlannedCopy(CopyPlan copy, long afterwards) {
        this.copy = copy;
        this.afterwards = afterwards;
    }

    /** {@return the engine's plan} */
    CopyPlan engine() {
        return copy;
    }

    /** {@return the name of the strategy: {@code CopyEncoded}, {@code Window}, {@code Sweep} or {@code Spill}} */
    public String strategy() {
        return copy.strategy().name();
    }

    /** {@return the stages in order; none if the array has no element} */
    public List<Stage> stages() {
        return copy.stages().stream().map(Stage::new).toList();
    }

    /** {@return the tasks of all stages} */
    public long tasks() {
        return copy.tasks();
    }

    /** {@return what the copy takes} */
    public Cost cost() {
        return new Cost(copy.strategy(), copy.cost());
    }

    /** {@return the most bytes held at once; never more than the bound} */
    public long projectedMemory() {
        return copy.projectedMemory();
    }

    /** {@return the least bound, in bytes, for the copy and the checks that follow it; computed on each call} */
    public long minimumMemory() {
        return Math.max(copy.minimumMemory(), afterwards);
    }

    /** {@return the other strategies that would have been possible, the fastest first; computed on each call} */
    public List<Alternative> alternatives() {
        return copy.alternatives().stream().map(Alternative::new).toList();
    }

    /** {@return the plan as text of several lines} */
    public String explain() {
        return copy.explain(minimumMemory());
    }

    /** {@return the picture of the plan on a page of HTML} */
    public String toHtml() {
        return PlanPicture.of(copy).html();
    }

    /** {@return {@link #explain()}} */
    @Override
    public String toString() {
        return explain();
    }

    /** A set of tasks that may run in any order. All tasks of a stage are done before those of the next one. */
    public static final class Stage {
        private final dev.rechunker.plan.Stage stage;

        private Stage(dev.rechunker.plan.Stage stage) {
            this.stage = stage;
        }

        /** {@return the name: what the stage does, in a word} */
        public String name() {
            return stage.name();
        }

        /** {@return the number of tasks} */
        public long tasks() {
            return stage.tasks();
        }

        /** {@return the regions of the array that are in memory together, one for each task} */
        public ChunkGrid windows() {
            return stage.windows();
        }

        /** {@return what is read: chunks of the source or parts of them, or pieces of the temporary copy} */
        public ChunkGrid source() {
            return stage.source();
        }

        /**
         * {@return what is written whole: write units of the target or parts of them, or pieces of the temporary copy}
         */
        public ChunkGrid units() {
            return stage.units();
        }

        /** {@return the threads that work at the same time} */
        public int lanes() {
            return stage.memory().lanes();
        }

        /** {@return the bytes that one process holds} */
        public long memory() {
            return stage.memory().total();
        }
    }

    /** What a strategy takes, by the cost model. */
    public static final class Cost {
        private final Strategy strategy;
        private final dev.rechunker.plan.Cost cost;

        private Cost(Strategy strategy, dev.rechunker.plan.Cost cost) {
            this.strategy = strategy;
            this.cost = cost;
        }

        /** {@return uncompressed bytes read, of the source as often as they are read, and of the temporary copy} */
        public double bytesRead() {
            return cost.bytesRead();
        }

        /** {@return uncompressed bytes written, to the temporary copy and to the target} */
        public double bytesWritten() {
            return cost.bytesWritten();
        }

        /** {@return bytes written to the temporary copy in all} */
        public long spillBytes() {
            return cost.spillBytes();
        }

        /** {@return the most bytes of the temporary copy that exist at once in storage} */
        public long spillPeakBytes() {
            return cost.spillPeakBytes();
        }

        /** {@return the bytes of the temporary copy that stay in memory} */
        public long residentBytes() {
            return strategy.residentBytes();
        }

        /** {@return how often a chunk of the source is read, on average} */
        public double sourceReadsPerChunk() {
            return cost.sourceReadsPerChunk();
        }

        /** {@return pieces that pass from what is read at once to what is written at once} */
        public double operations() {
            return cost.operations();
        }

        /** {@return reads and writes of storage} */
        public double requests() {
            return cost.requests();
        }

        /** {@return the time in seconds, of all workers together} */
        public double seconds() {
            return cost.seconds();
        }
    }

    /** A strategy that was not chosen. */
    public static final class Alternative {
        private final CopyPlan.Alternative other;

        private Alternative(CopyPlan.Alternative other) {
            this.other = other;
        }

        /** {@return the name of the strategy} */
        public String strategy() {
            return other.strategy().name();
        }

        /** {@return what it would take} */
        public Cost cost() {
            return new Cost(other.strategy(), other.cost());
        }

        /** {@return the most bytes it would hold} */
        public long projectedMemory() {
            return other.projectedMemory();
        }
    }
}
