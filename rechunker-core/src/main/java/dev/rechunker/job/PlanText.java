package dev.rechunker.job;

import dev.rechunker.array.DataType;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Loss;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The description of the plan of a job for people. It begins with the largest arrays; each small one has one line, so
 * that the plan of a data set fits a screen.
 */
final class PlanText {
    /** The most arrays of several that are described in full. */
    private static final int MOST_IN_FULL = 2;

    /** The least share of all bytes of an array that is described in full. */
    private static final double LARGE = 0.1;

    private static final int MOST_LINES = 16;
    private static final int MOST_LOSSES = 8;
    private static final int LONGEST_NAME = 24;

    private PlanText() {}

    /** {@return the arrays, the largest ones first} */
    static List<JobArray> largestFirst(List<JobArray> arrays) {
        return arrays.stream()
                .sorted(Comparator.comparingLong(
                                (JobArray array) -> array.source().bytes())
                        .reversed())
                .toList();
    }

    /** {@return what is copied, how long it takes, and what it needs, in a few lines} */
    static String summary(JobPlan plan) {
        List<JobArray> arrays = largestFirst(plan.arrays());
        if (arrays.isEmpty()) {
            return "no arrays\n";
        }
        StringBuilder text = new StringBuilder();
        JobArray main = arrays.get(0);
        CopyPlan copy = main.copy();
        if (arrays.size() > 1) {
            text.append(NumberText.count(arrays.size(), "array"))
                    .append(", ")
                    .append(bytes(arrays))
                    .append("; the largest is ")
                    .append(inLine(main.path()))
                    .append('\n');
        }
        double seconds = arrays.stream()
                .mapToDouble(array -> array.copy().cost().seconds())
                .sum();
        text.append(copy.summary(seconds, plan.projectedMemory().bytes(), plan.spillPeakBytes()));
        addLosses(text, plan.losses(), 1);
        return text.toString();
    }

    /** {@return the description of all arrays, and of what is not kept} */
    static String of(List<JobArray> planned, List<Loss> losses) {
        Set<String> fused = Fusion.levelsOf(planned);
        StringBuilder text = new StringBuilder();
        List<JobArray> arrays = largestFirst(planned);
        double all =
                arrays.stream().mapToDouble(array -> array.source().bytes()).sum();
        List<CopyPlan> described = new ArrayList<>();
        List<JobArray> others = new ArrayList<>();
        for (JobArray array : arrays) {
            boolean isLarge = !fused.contains(array.path())
                    && (described.isEmpty() || array.source().bytes() >= LARGE * all);
            if (isLarge && described.size() < MOST_IN_FULL && !described.contains(array.copy())) {
                described.add(array.copy());
                addInFull(text, array);
            } else {
                others.add(array);
            }
        }
        addInBrief(text, others, fused);
        addLosses(text, losses, arrays.size() == 1 ? MOST_LOSSES : 1);
        return text.toString();
    }

    private static void addInFull(StringBuilder text, JobArray array) {
        if (!array.path().isEmpty()) {
            text.append("array ").append(inLine(array.path())).append('\n');
        }
        DataType type = array.source().dataType();
        if (type.isVariable()) {
            text.append("elements: ").append(type).append(", which take as much memory as the longest\n");
        }
        text.append(array.copy().explain(array.minimumMemory()));
        array.levels().ifPresent(levels -> text.append(levels.text()));
        array.checks()
                .comparison()
                .ifPresent(how ->
                        text.append("verification: ").append(how.explain()).append('\n'));
    }

    private static void addInBrief(StringBuilder text, List<JobArray> arrays, Set<String> fused) {
        if (arrays.isEmpty()) {
            return;
        }
        text.append(arrays.size() == 1 ? "1 other array" : arrays.size() + " other arrays")
                .append(", ")
                .append(bytes(arrays))
                .append(" in all\n");
        List<JobArray> named = arrays.subList(0, Math.min(MOST_LINES, arrays.size()));
        int width = named.stream()
                .mapToInt(array -> Math.min(LONGEST_NAME, array.path().length()))
                .max()
                .orElse(0);
        for (JobArray array : named) {
            CopyPlan plan = array.copy();
            String name = inLine(array.path());
            text.append("  ")
                    .append(name)
                    .append(" ".repeat(Math.max(0, width - name.length())))
                    .append("  ")
                    .append(ByteSize.of(array.source().bytes()))
                    .append(", ")
                    .append(array.source().chunks().chunkText())
                    .append(" to ")
                    .append(array.target().chunks().chunkText())
                    .append(": ")
                    .append(
                            fused.contains(array.path())
                                    ? "in the same pass"
                                    : plan.strategy().name() + ", " + NumberText.count(plan.tasks(), "task") + ", "
                                            + ByteSize.of(plan.projectedMemory()))
                    .append('\n');
        }
        List<JobArray> rest = arrays.subList(named.size(), arrays.size());
        if (!rest.isEmpty()) {
            text.append("  and ")
                    .append(rest.size())
                    .append(" more, ")
                    .append(bytes(rest))
                    .append('\n');
        }
    }

    /** {@return a text from a store as a part of a line} */
    static String inLine(String text) {
        return text.replaceAll("\\R", "\ufffd");
    }

    private static ByteSize bytes(List<JobArray> arrays) {
        return ByteSize.of((long)
                arrays.stream().mapToDouble(array -> array.source().bytes()).sum());
    }

    /** Lists the gravest losses; several arrays often have the same losses of layout. */
    private static void addLosses(StringBuilder text, List<Loss> losses, int mostOfLayout) {
        if (losses.isEmpty()) {
            return;
        }
        text.append("not kept\n");
        List<Loss> grave = losses.stream()
                .filter(loss -> loss.kind() != Loss.Kind.LAYOUT)
                .sorted(Comparator.comparing(Loss::kind).reversed())
                .toList();
        List<Loss> layout =
                losses.stream().filter(loss -> loss.kind() == Loss.Kind.LAYOUT).toList();
        addFirst(text, grave, MOST_LOSSES, " more");
        addFirst(text, layout, mostOfLayout, " more things that are only stored in another way");
    }

    private static void addFirst(StringBuilder text, List<Loss> losses, int most, String more) {
        losses.stream()
                .limit(most)
                .forEach(loss ->
                        text.append("  ").append(inLine(loss.sentence())).append('\n'));
        if (losses.size() > most) {
            text.append("  and ").append(losses.size() - most).append(more).append('\n');
        }
    }
}
