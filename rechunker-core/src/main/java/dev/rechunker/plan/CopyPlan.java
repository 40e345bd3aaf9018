package dev.rechunker.plan;

import java.util.List;

/**
 * How one array is copied: a strategy, the stages that carry it out, and what they take.
 *
 * @param problem what was planned
 * @param resources what it may use
 * @param strategy the way chosen
 * @param stages its stages, in order; none if the array has no element
 * @param cost what it takes
 * @param projectedMemory the most bytes held at once; never more than {@code resources.maxMem()}
 */
public record CopyPlan(
        Problem problem, Resources resources, Strategy strategy, List<Stage> stages, Cost cost, long projectedMemory) {
    /** Takes a copy of the list. */
    public CopyPlan {
        stages = List.copyOf(stages);
    }

    /** {@return the tasks of all stages} */
    public long tasks() {
        return stages.stream().mapToLong(Stage::tasks).sum();
    }

    /** {@return the least maxMem with which there is a plan; searched for whenever asked} */
    public long minimumMemory() {
        return Planner.minimumMemory(problem, resources);
    }

    /** {@return the other strategies that would have been feasible, the fastest first; drafted whenever asked} */
    public List<Alternative> alternatives() {
        return Planner.alternatives(this);
    }

    /** {@return a description for people, several lines} */
    public String explain() {
        return explain(minimumMemory());
    }

    /**
     * {@return the same of a plan that is part of more}
     *
     * @param minimumMemory the least maxMem with which there is room for all of it
     */
    public String explain(long minimumMemory) {
        return PlanExplanation.of(this, minimumMemory);
    }

    /**
     * A strategy that was not chosen.
     *
     * @param strategy the strategy
     * @param cost what it would take
     * @param projectedMemory the most bytes it would hold
     */
    public record Alternative(Strategy strategy, Cost cost, long projectedMemory) {}
}
