package dev.rechunker.plan;

import dev.rechunker.plan.Stored.Known;
import dev.rechunker.resource.ByteSize;
import java.util.List;
import java.util.Locale;

/** The description of a plan for people. */
final class PlanExplanation {
    private PlanExplanation() {}

    static String of(CopyPlan plan, long minimumMemory) {
        StringBuilder text = new StringBuilder();
        Problem problem = plan.problem();
        line(text, "%s of %s%s", ByteSize.of(problem.bytes()), problem.source(), reads(problem));
        line(
                text,
                "  to %s, %s per element",
                problem.target().chunkText(),
                NumberText.count((long) problem.itemSize(), "byte"));
        if (plan.stages().isEmpty()) {
            line(text, "strategy %s: nothing to do, the array has no element", name(plan.strategy()));
        } else {
            addCosts(text, plan);
        }
        List<CopyPlan.Alternative> others = plan.alternatives();
        int number = 0;
        for (Stage stage : plan.stages()) {
            addStage(text, number++, stage);
        }
        addSpill(text, plan);
        if (!plan.stages().isEmpty()) {
            line(text, "why: %s", reason(plan, others));
        }
        line(
                text,
                "memory: %s of maxMem %s; the least possible maxMem is %s",
                ByteSize.of(plan.projectedMemory()),
                ByteSize.of(plan.resources().maxMem()),
                ByteSize.of(minimumMemory).roundedUp());
        if (plan.sourceReads() > Planner.FEW_READS) {
            plan.usefulMemory()
                    .ifPresent(useful -> line(
                            text,
                            "with a maxMem of %s or more, each byte of the source is read at most twice",
                            ByteSize.of(Math.max(useful, minimumMemory)).roundedUp()));
        }
        if (!others.isEmpty()) {
            line(text, "other strategies that fit into the limit:");
        }
        for (CopyPlan.Alternative other : others) {
            line(
                    text,
                    "  %s: about %s; %s%s",
                    name(other.strategy()),
                    NumberText.seconds(other.cost().seconds()),
                    visits(other.cost()),
                    workers(plan, other.strategy()));
        }
        return text.toString();
    }

    static String summary(CopyPlan plan, double seconds, long memory, long spillPeakBytes) {
        StringBuilder text = new StringBuilder();
        Problem problem = plan.problem();
        line(
                text,
                "what:   %s, chunks of %s become %s",
                ByteSize.of(problem.bytes()),
                problem.source().chunkText(),
                problem.target().chunkText());
        line(
                text,
                "time:   about %s, estimated for %s",
                NumberText.seconds(seconds),
                plan.resources().costModel().name());
        line(
                text,
                "memory: %s of maxMem %s",
                ByteSize.of(memory),
                ByteSize.of(plan.resources().maxMem()));
        line(
                text,
                "spill:  %s",
                spillPeakBytes == 0
                        ? "none, no temporary files"
                        : ByteSize.of(spillPeakBytes) + " of temporary files at most"
                                + plan.resources()
                                        .remoteSpill()
                                        .map(spill -> ", at " + spill.place())
                                        .orElse(""));
        return text.toString();
    }

    /** {@return what a strategy does, in a phrase} */
    private static String method(Strategy strategy) {
        if (!strategy.decodes()) {
            return "chunks are copied as they are stored, without decoding them";
        }
        if (!strategy.copies().isEmpty()) {
            return "the source is read once and written in pieces to a temporary copy, and the target is made of the pieces";
        }
        return strategy instanceof Strategy.Sweep
                ? "the array is passed through from one end to the other, with only unfinished target chunks in memory"
                : "one part of the target after the other is put together in memory";
    }

    /** {@return why this strategy was chosen} */
    private static String reason(CopyPlan plan, List<CopyPlan.Alternative> others) {
        if (others.isEmpty()) {
            return "no other strategy fits into the limit";
        }
        CopyPlan.Alternative next = others.get(0);
        double factor = next.cost().seconds() / plan.cost().seconds();
        if (factor >= 1.02) {
            return "it is the fastest; " + name(next.strategy()) + " would take " + NumberText.timesInWords(factor)
                    + " as long";
        }
        if (factor > 1 / 1.02) {
            return plan.strategy().decodes()
                    ? "no other is faster, and of those that are as fast it does the least work"
                    : "no other is faster, and of those that are as fast it decodes nothing";
        }
        return next.strategy().copies().isEmpty()
                ? name(next.strategy()) + " may be faster, but needs more work per byte"
                : name(next.strategy()) + " may be faster, but writes and reads everything a second time, which is done"
                        + " only if it saves three quarters of the time";
    }

    /** {@return why several workers do not do without a temporary copy: another strategy may have too few tasks} */
    private static String workers(CopyPlan plan, Strategy other) {
        int workers = plan.resources().workers();
        boolean spills = !plan.strategy().copies().isEmpty();
        long tasks = other instanceof Strategy.Window window
                ? window.windows().count()
                : other instanceof Strategy.Sweep sweep ? sweep.windows().count() : 0;
        return workers == 1 || !spills || tasks == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %s for %s, as one task assembles each write unit",
                        NumberText.count(tasks, "task"),
                        NumberText.count((long) workers, "worker"));
    }

    private static String reads(Problem problem) {
        String parts = problem.reading() == Problem.Reading.ANY_BYTES ? "bands" : "stretches";
        return problem.reads().equals(problem.source())
                ? ""
                : ", read in " + parts + " of " + problem.reads().chunkText();
    }

    private static void addCosts(StringBuilder text, CopyPlan plan) {
        Strategy strategy = plan.strategy();
        Cost cost = plan.cost();
        line(text, "strategy %s: %s", name(strategy), method(strategy));
        line(text, "  %s", time(cost));
        line(text, "  %s", traffic(cost));
        line(text, "  %s", stored(plan));
        if (cost.spillBytes() > 0) {
            line(
                    text,
                    "  temporary copy: %s, of which at most %s exist at once%s",
                    ByteSize.of(cost.spillBytes()),
                    ByteSize.of(cost.spillPeakBytes()),
                    strategy.residentBytes() == 0
                            ? ""
                            : ", and another " + ByteSize.of(strategy.residentBytes()) + " in memory");
        }
    }

    private static String name(Strategy strategy) {
        return strategy.name();
    }

    private static String time(Cost cost) {
        return "takes about " + NumberText.seconds(cost.seconds()) + ", estimated from the speed of the storage";
    }

    private static String visits(Cost cost) {
        return String.format(
                Locale.ROOT,
                "reads %s, writes %s; reads each source chunk %s",
                ByteSize.of((long) cost.bytesRead()),
                ByteSize.of((long) cost.bytesWritten()),
                NumberText.timesInWords(cost.sourceReadsPerChunk()));
    }

    /** {@return what storage is asked for} */
    private static String stored(CopyPlan plan) {
        Cost cost = plan.cost();
        double times = plan.problem().stored().source() == 0
                ? 1
                : (cost.storedRead() - spill(cost, plan))
                        / plan.problem().stored().source();
        boolean isOften = plan.storedReadKnown() != Known.NOT && times > 1.05;
        return "as stored: reads " + stored(cost.storedRead(), plan.storedReadKnown())
                + (isOften ? ", the source " + NumberText.times(times) : "")
                + ", writes " + stored(cost.storedWritten(), plan.storedWrittenKnown());
    }

    private static double spill(Cost cost, CopyPlan plan) {
        return cost.spillBytes()
                / (plan.strategy().compressed() ? plan.resources().costModel().spillRatio() : 1);
    }

    private static String stored(double bytes, Known known) {
        ByteSize size = ByteSize.of((long) bytes);
        return switch (known) {
            case EXACTLY -> size.toString();
            case ABOUT -> "about " + size;
            case NOT -> "an unknown size";
        };
    }

    private static String traffic(Cost cost) {
        return String.format(
                Locale.ROOT, "%s; %s to the storage", visits(cost), NumberText.count(cost.requests(), "request"));
    }

    private static void addStage(StringBuilder text, int number, Stage stage) {
        Stage.Memory memory = stage.memory();
        line(
                text,
                "  stage %d, %s: %s of %s; %s of %s, and %s for unfinished target chunks",
                number,
                stage.name(),
                NumberText.count(stage.tasks(), "task"),
                stage.windows().largestChunk(),
                NumberText.count((long) memory.lanes(), "lane"),
                ByteSize.of(memory.laneBytes() + memory.nativeBytes()),
                ByteSize.of(memory.ringBytes() + memory.wrapBytes()));
    }

    private static void addSpill(StringBuilder text, CopyPlan plan) {
        if (plan.cost().spillBytes() > 0) {
            int copies = plan.stages().size() - 1;
            String stages = copies == 1 ? "stage 0" : "stages 0 to " + (copies - 1);
            plan.resources()
                    .remoteSpill()
                    .ifPresent(spill -> line(text, "spill: %s, one value for each task of %s", spill.place(), stages));
        }
        if (plan.strategy().compressed()) {
            line(
                    text,
                    "spill: compressed by %s, to about 1/%s of its size",
                    plan.resources().compression().orElseThrow().codec(),
                    NumberText.digits(plan.resources().costModel().spillRatio(), 2));
        }
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
