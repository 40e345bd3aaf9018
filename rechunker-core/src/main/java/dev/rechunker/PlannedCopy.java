package dev.rechunker;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.ReadAdvice;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stored.Known;
import dev.rechunker.plan.Strategy;
import dev.rechunker.store.Advice;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How one array is copied: the strategy, its stages, and their cost. Part of an {@link ArrayPlan}, or made from numbers
 * alone by {@link Estimate}.
 */
public final class PlannedCopy {
    private final CopyPlan copy;
    private final long checkMemory;

    /**
     * Creates the description of a plan of the engine.
     *
     * @param checkMemory the smallest memory limit for the checks after the copy, in bytes
     */
    PlannedCopy(CopyPlan copy, long checkMemory) {
        this.copy = copy;
        this.checkMemory = checkMemory;
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

    /** {@return the number of tasks of all stages} */
    public long tasks() {
        return copy.tasks();
    }

    /**
     * {@return advice if each byte of the source would be read more than 10 times: from which memory limit on it is
     * read at most twice; otherwise empty}
     */
    public List<Advice> advice() {
        return ReadAdvice.of(copy);
    }

    /** {@return the cost of the copy} */
    public Cost cost() {
        return new Cost(copy.strategy(), copy.cost(), copy.storedReadKnown(), copy.storedWrittenKnown());
    }

    /**
     * {@return the numbers of requests if source and target are in object stores; those of the temporary copy are 0
     * unless it is in one}
     */
    public Requests requests() {
        dev.rechunker.plan.Requests requests = dev.rechunker.plan.Requests.of(copy);
        return new Requests(
                requests.sourceReads(), requests.targetWrites(), requests.spillWrites(), requests.spillReads());
    }

    /** {@return the memory that the copy uses at most, in bytes; never more than the memory limit} */
    public long projectedMemory() {
        return copy.projectedMemory();
    }

    /** {@return the smallest memory limit for the copy and the checks after it, in bytes; computed on each call} */
    public long minimumMemory() {
        return Math.max(copy.minimumMemory(), checkMemory);
    }

    /** {@return the other possible strategies, the fastest first; computed on each call} */
    public List<Alternative> alternatives() {
        return copy.alternatives().stream().map(Alternative::new).toList();
    }

    /** {@return a few lines for people: what is copied, how long it takes, the memory and temporary files it needs} */
    public String summary() {
        return copy.summary();
    }

    /** {@return a description for people, of several lines: also how and why it is copied so} */
    public String explain() {
        return copy.explain(minimumMemory());
    }

    /** {@return an HTML page with a picture of the plan} */
    public String toHtml() {
        return PlanPicture.of(copy).html();
    }

    /** {@return {@link #explain()}} */
    @Override
    public String toString() {
        return explain();
    }

    /** A set of tasks that may run in any order. A stage begins when all tasks of the previous one are done. */
    public static final class Stage {
        private final dev.rechunker.plan.Stage stage;

        private Stage(dev.rechunker.plan.Stage stage) {
            this.stage = stage;
        }

        /** {@return the name of the stage, one word that says what it does} */
        public String name() {
            return stage.name();
        }

        /** {@return the number of tasks} */
        public long tasks() {
            return stage.tasks();
        }

        /** {@return the windows: the regions of the array that are in memory at once, one per task} */
        public ChunkGrid windows() {
            return stage.windows();
        }

        /**
         * {@return the regions that are read: chunks of the source or parts of them, or pieces of the temporary copy}
         */
        public ChunkGrid source() {
            return stage.source();
        }

        /**
         * {@return the regions that are written: write units of the target or parts of them, or pieces of the temporary
         * copy}
         */
        public ChunkGrid units() {
            return stage.units();
        }

        /** {@return the number of threads that work at the same time} */
        public int lanes() {
            return stage.memory().lanes();
        }

        /** {@return the memory that the stage uses in one process, in bytes} */
        public long memory() {
            return stage.memory().total();
        }
    }

    /** The cost of a strategy, as the cost model predicts it. */
    public static final class Cost {
        private final Strategy strategy;
        private final dev.rechunker.plan.Cost cost;
        private final Known read;
        private final Known written;

        private Cost(Strategy strategy, dev.rechunker.plan.Cost cost, Known read, Known written) {
            this.strategy = strategy;
            this.cost = cost;
            this.read = read;
            this.written = written;
        }

        /**
         * {@return the uncompressed bytes that are read from the source, counted each time, and from the temporary
         * copy}
         */
        public double bytesRead() {
            return cost.bytesRead();
        }

        /** {@return the uncompressed bytes that are written to the temporary copy and to the target} */
        public double bytesWritten() {
            return cost.bytesWritten();
        }

        /**
         * {@return the bytes that are read from source and temporary copy as they are stored, compressed; empty if the
         * stored size of the source is not known, as of a small array in a remote store}
         */
        public OptionalDouble storedBytesRead() {
            return read == Known.NOT ? OptionalDouble.empty() : OptionalDouble.of(cost.storedRead());
        }

        /** {@return whether {@link #storedBytesRead()} is an estimate} */
        public boolean isStoredBytesReadEstimate() {
            return read == Known.ABOUT;
        }

        /**
         * {@return the bytes that are written to temporary copy and target as they are stored, compressed; empty if
         * that is not known, as if only the target is compressed}
         */
        public OptionalDouble storedBytesWritten() {
            return written == Known.NOT ? OptionalDouble.empty() : OptionalDouble.of(cost.storedWritten());
        }

        /** {@return whether {@link #storedBytesWritten()} is an estimate} */
        public boolean isStoredBytesWrittenEstimate() {
            return written == Known.ABOUT;
        }

        /** {@return the bytes that are written to the temporary copy in total} */
        public long spillBytes() {
            return cost.spillBytes();
        }

        /** {@return the most storage that the temporary copy uses at any time, in bytes} */
        public long spillPeakBytes() {
            return cost.spillPeakBytes();
        }

        /** {@return the size of the part of the temporary copy that stays in memory, in bytes} */
        public long residentBytes() {
            return strategy.residentBytes();
        }

        /** {@return the average number of times that a chunk of the source is read} */
        public double sourceReadsPerChunk() {
            return cost.sourceReadsPerChunk();
        }

        /** {@return the number of pieces, each of which passes from one region that is read to one that is written} */
        public double operations() {
            return cost.operations();
        }

        /** {@return the number of read and write requests to storage} */
        public double requests() {
            return cost.requests();
        }

        /** {@return the time in seconds until all workers have finished} */
        public double seconds() {
            return cost.seconds();
        }
    }

    /**
     * Numbers of requests, without those for metadata. A chunk of the source is one value, and so is a write unit.
     *
     * @param sourceReads the reads of chunks of the source, or of ranges of them
     * @param targetWrites the write units
     * @param spillWrites the writes of the temporary copy
     * @param spillReads the reads of the temporary copy
     */
    public record Requests(double sourceReads, double targetWrites, double spillWrites, double spillReads) {}

    /** A possible strategy that was not chosen. */
    public static final class Alternative {
        private final CopyPlan.Alternative other;

        private Alternative(CopyPlan.Alternative other) {
            this.other = other;
        }

        /** {@return the name of the strategy} */
        public String strategy() {
            return other.strategy().name();
        }

        /** {@return the cost it would have} */
        public Cost cost() {
            return new Cost(other.strategy(), other.cost(), other.storedReadKnown(), other.storedWrittenKnown());
        }

        /** {@return the memory it would use at most, in bytes} */
        public long projectedMemory() {
            return other.projectedMemory();
        }
    }
}
