package dev.rechunker.plan;

import java.util.List;
import java.util.OptionalLong;

/**
 * How one array is copied: a strategy, the stages that carry it out, and what they cost.
 *
 * @param problem the array, and how it is read and written
 * @param resources what the plan may use
 * @param strategy the chosen strategy
 * @param stages the stages in order; none if the array has no element
 * @param cost the cost of all stages
 * @param projectedMemory the most bytes in use at the same time; never more than {@code resources.maxMem()}
 */
public record CopyPlan(
        Problem problem, Resources resources, Strategy strategy, List<Stage> stages, Cost cost, long projectedMemory) {
    /** Takes a copy of the list. */
    public CopyPlan {
        stages = List.copyOf(stages);
    }

    /** {@return the number of tasks of all stages} */
    public long tasks() {
        return stages.stream().mapToLong(Stage::tasks).sum();
    }

    /** {@return the least maxMem with which there is a plan; computed on each call} */
    public long minimumMemory() {
        return Planner.minimumMemory(problem, resources);
    }

    /** {@return how often each byte of the source is read, on average; 1 if the array has no element} */
    public double sourceReads() {
        return problem.bytes() == 0 ? 1 : Math.max(0, cost.bytesRead() - cost.spillBytes()) / problem.bytes();
    }

    /** {@return how well it is known how many stored bytes are read, from source and spill} */
    public Stored.Known storedReadKnown() {
        return storedReadKnown(problem.stored(), strategy, cost);
    }

    /** {@return how well it is known how many stored bytes are written, to spill and target} */
    public Stored.Known storedWrittenKnown() {
        return storedWrittenKnown(problem.stored(), strategy);
    }

    /** Chunks differ in size, so if not all are read equally often, or only parts of them, the sum is an estimate. */
    private static Stored.Known storedReadKnown(Stored stored, Strategy strategy, Cost cost) {
        boolean isOnce = cost.storedRead() <= stored.source() + cost.spillBytes();
        return stored.ofSource().and(spillKnown(strategy)).and(isOnce ? Stored.Known.EXACTLY : Stored.Known.ABOUT);
    }

    private static Stored.Known storedWrittenKnown(Stored stored, Strategy strategy) {
        return strategy.decodes() ? stored.ofTarget().and(spillKnown(strategy)) : stored.ofSource();
    }

    private static Stored.Known spillKnown(Strategy strategy) {
        return strategy.compressed() ? Stored.Known.ABOUT : Stored.Known.EXACTLY;
    }

    /**
     * {@return the least maxMem, to about two percent, from which on each byte of the source is read at most
     * {@link Planner#FEW_READS} times; empty if no limit does that. Computed on each call}
     */
    public OptionalLong usefulMemory() {
        return Planner.usefulMemory(problem, resources);
    }

    /** {@return the other strategies that are possible, the fastest first; computed on each call} */
    public List<Alternative> alternatives() {
        return Planner.alternatives(this);
    }

    /** {@return what is copied, how long it takes, and what it needs, in a few lines} */
    public String summary() {
        return summary(cost.seconds(), projectedMemory, cost.spillPeakBytes());
    }

    /** {@return the summary of a larger plan of which this is the largest part, with its time, memory and spill} */
    public String summary(double seconds, long memory, long spillPeakBytes) {
        return PlanExplanation.summary(this, seconds, memory, spillPeakBytes);
    }

    /** {@return a description for people, of several lines} */
    public String explain() {
        return explain(minimumMemory());
    }

    /**
     * {@return a description of this plan as a part of a larger one}
     *
     * @param minimumMemory the least maxMem with which the larger plan is possible
     */
    public String explain(long minimumMemory) {
        return PlanExplanation.of(this, minimumMemory);
    }

    /**
     * A strategy that was not chosen.
     *
     * @param strategy the strategy
     * @param cost what it would cost
     * @param projectedMemory the most bytes that it would have in use at the same time
     * @param stored the sizes of source and target as they are stored
     */
    public record Alternative(Strategy strategy, Cost cost, long projectedMemory, Stored stored) {
        /** {@return how well it is known how many stored bytes would be read} */
        public Stored.Known storedReadKnown() {
            return CopyPlan.storedReadKnown(stored, strategy, cost);
        }

        /** {@return how well it is known how many stored bytes would be written} */
        public Stored.Known storedWrittenKnown() {
            return CopyPlan.storedWrittenKnown(stored, strategy);
        }
    }
}
