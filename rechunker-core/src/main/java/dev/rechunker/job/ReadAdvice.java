package dev.rechunker.job;

import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.Advice;
import java.util.List;
import java.util.OptionalLong;

/** Advice to raise a memory limit with which the source would be read many times. */
public final class ReadAdvice {
    /** A plan that reads each byte of the source more often than this gets advice. */
    private static final double MANY_READS = 10;

    private ReadAdvice() {}

    /** {@return the advice on the plan of an array; empty if the source is not read many times} */
    public static List<Advice> of(CopyPlan plan) {
        if (plan.sourceReads() <= MANY_READS) {
            return List.of();
        }
        OptionalLong useful = plan.usefulMemory();
        String problem = "each byte of the source is read " + NumberText.count(plan.sourceReads()) + " times, "
                + ByteSize.of((long) (plan.cost().bytesRead() - plan.cost().spillBytes())) + " for "
                + ByteSize.of(plan.problem().bytes());
        return List.of(
                useful.isEmpty()
                        ? Advice.of("reads", problem)
                        : Advice.of(
                                "reads",
                                problem + "; from a maxMem of "
                                        + ByteSize.of(useful.getAsLong()).roundedUp() + " on, at most twice",
                                useful.getAsLong()));
    }

    /** {@return a refusal that also names the least limit with which the source is read at most twice} */
    static InfeasiblePlanException with(InfeasiblePlanException refusal, Problem problem, Resources resources) {
        if (refusal.minimumMemory() == Long.MAX_VALUE) {
            return refusal;
        }
        OptionalLong useful = Planner.usefulMemory(problem, resources);
        return useful.isPresent() && useful.getAsLong() > refusal.minimumMemory()
                ? refusal.withUsefulMemory(useful.getAsLong())
                : refusal;
    }
}
