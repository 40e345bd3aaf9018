package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import java.util.List;
import java.util.Optional;

/** Plans with a spill for arrays that are so small that the planner would not choose one. */
public final class SpillPlans {
    private SpillPlans() {}

    /**
     * {@return the plan with these regions, or empty if one of them does not fit into the bound}
     *
     * @param regions the slabs, the intermediate regions, and the windows
     */
    public static Optional<CopyPlan> through(Problem problem, Resources resources, List<ChunkGrid> regions) {
        return SpillStages.of(problem, resources, resources.threads(), regions)
                .filter(stages -> stages.totalBytes(0) <= resources.maxMem())
                .map(stages -> stages.draftKeeping(0))
                .map(draft -> new CopyPlan(
                        problem, resources, draft.strategy(), draft.stages(), draft.cost(), draft.memory()));
    }
}
