package dev.rechunker.job;

import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.OnCorrupt;
import java.util.List;
import java.util.Optional;

/** Plans copies within the memory limit of a job. */
final class CopyPlanning {
    /** The part to which the memory limit of an array is reduced at most, so that all arrays use one workspace. */
    private static final double ABOUT = 0.9;

    private final JobRequest request;

    CopyPlanning(JobRequest request) {
        this.request = request;
    }

    /** {@return whether the run must find each corrupt chunk, and therefore decodes every chunk as a whole} */
    boolean findsCorrupt() {
        return request.options().get(Option.ON_CORRUPT) != OnCorrupt.FAIL;
    }

    /**
     * {@return the plan of a copy}
     *
     * @param refusals the refusals of the checks after the copy
     */
    CopyPlan plan(Problem problem, MemoryRefusals refusals) {
        Options options = request.options();
        Resources resources = new Resources(
                request.maxMem().bytes(),
                options.executor().threads(),
                !options.get(Option.NO_SPILL),
                options.costModel(),
                options.get(Option.WORKERS),
                options.remoteSpill(),
                options.compression(problem.itemSize()));
        Optional<CopyPlan> copy = refusals.attempt(() -> {
            try {
                return new Planner().plan(problem, resources);
            } catch (InfeasiblePlanException e) {
                throw ReadAdvice.with(e, problem, resources);
            }
        });
        refusals.throwLargest();
        return copy.orElseThrow();
    }

    /**
     * {@return the arrays, planned so that all of them, one after the other, use the same workspace}
     *
     * <p>The memory outside of the workspace differs between arrays. An array that leaves too little for it is planned
     * again with less memory. If that is much less, the array stays as it is, and each array gets a workspace of its
     * own.
     */
    List<JobArray> fittedIntoOneWorkspace(List<JobArray> arrays) {
        long outside = arrays.stream().mapToLong(JobArray::outsideBytes).max().orElse(0);
        long held = arrays.stream().mapToLong(JobArray::heldBytes).max().orElse(0);
        return arrays.stream()
                .map(array -> reducedBy(outside - array.outsideBytes() + held - array.heldBytes(), array))
                .toList();
    }

    private JobArray reducedBy(long bytes, JobArray array) {
        CopyPlan copy = array.copy();
        Resources left = copy.resources().reducedBy(bytes);
        if (copy.projectedMemory() <= left.maxMem()
                || left.maxMem() < request.maxMem().bytes() * ABOUT) {
            return array;
        }
        try {
            return array.by(new Planner().plan(copy.problem(), left));
        } catch (InfeasiblePlanException e) {
            return array;
        }
    }
}
