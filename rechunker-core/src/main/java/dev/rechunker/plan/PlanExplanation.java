package dev.rechunker.plan;

import dev.rechunker.resource.ByteSize;
import java.util.Locale;

/** Says a plan in words and figures. */
final class PlanExplanation {
    private PlanExplanation() {}

    static String of(CopyPlan plan, long minimumMemory) {
        StringBuilder text = new StringBuilder();
        Problem problem = plan.problem();
        line(text, "%s of %s%s", ByteSize.of(problem.bytes()), problem.source(), reads(problem));
        line(text, "  to %s, %d bytes per element", problem.target().chunkShape(), problem.itemSize());
        line(
                text,
                "strategy %s: %s",
                plan.strategy().name(),
                plan.stages().isEmpty()
                        ? "nothing to do, the array has no element"
                        : cost(plan.strategy(), plan.cost()));
        int number = 1;
        for (Stage stage : plan.stages()) {
            Stage.Memory memory = stage.memory();
            line(
                    text,
                    "  stage %d, %s: %s of %s; %s of %s, %s for units under way",
                    number++,
                    stage.name(),
                    count(stage.tasks(), "task"),
                    stage.windows().largestChunk(),
                    count(memory.lanes(), "lane"),
                    ByteSize.of(memory.laneBytes() + memory.nativeBytes()),
                    ByteSize.of(memory.ringBytes() + memory.wrapBytes()));
        }
        if (plan.cost().spillBytes() > 0) {
            int copies = plan.stages().size() - 1;
            String stages = copies == 1 ? "stage 1" : "stages 1 to " + copies;
            plan.resources()
                    .remoteSpill()
                    .ifPresent(spill -> line(text, "spill: %s, a value for each task of %s", spill.place(), stages));
        }
        if (plan.strategy().compressed()) {
            line(
                    text,
                    "spill: compressed by %s, to about 1/%.3g",
                    plan.resources().compression().orElseThrow().codec(),
                    plan.resources().costModel().spillRatio());
        }
        line(
                text,
                "memory: projected %s of %s; %s would do",
                ByteSize.of(plan.projectedMemory()),
                ByteSize.of(plan.resources().maxMem()),
                ByteSize.of(minimumMemory));
        for (CopyPlan.Alternative other : plan.alternatives()) {
            line(text, "instead of %s: %s", other.strategy().name(), cost(other.strategy(), other.cost()));
        }
        return text.toString();
    }

    private static String reads(Problem problem) {
        String parts = problem.reading() == Problem.Reading.ANY_BYTES ? "bands" : "stretches";
        return problem.reads().equals(problem.source())
                ? ""
                : ", read in " + parts + " of " + problem.reads().chunkShape();
    }

    private static String cost(Strategy strategy, Cost cost) {
        long resident = strategy.residentBytes();
        return String.format(
                Locale.ROOT,
                "reads %s, writes %s, spills %s (at most %s at once%s), visits each source chunk %.3g times, "
                        + "%.4g operations, %.4g requests, about %.3g s (%s)",
                ByteSize.of((long) cost.bytesRead()),
                ByteSize.of((long) cost.bytesWritten()),
                ByteSize.of(cost.spillBytes()),
                ByteSize.of(cost.spillPeakBytes()),
                resident == 0 ? "" : ", besides " + ByteSize.of(resident) + " in memory",
                cost.sourceReadsPerChunk(),
                cost.operations(),
                cost.requests(),
                cost.seconds(),
                "by the cost model");
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
