package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which axes of an array are drawn, and how long: at most three, those on which source and target differ first, then
 * those with the most parts. Each axis is to scale in itself, the same in every panel; an axis that would be too short
 * to see is stretched.
 */
final class Axes {
    private static final int MOST = 3;

    /** No axis is drawn shorter than this part of the longest: in a body, and in a plane. */
    private static final double SHORTEST = 0.4;

    private static final double SHORTEST_FLAT = 0.8;

    private final Problem problem;
    private final List<? extends @Nullable String> names;
    private final List<Integer> drawn;
    private final double[] relative;

    Axes(CopyPlan plan, List<? extends @Nullable String> names) {
        this.problem = plan.problem();
        this.names = names;
        this.drawn = choose(plan);
        double longest = drawn.stream().mapToDouble(this::length).max().orElse(1);
        double shortest = drawn.size() == MOST ? SHORTEST : SHORTEST_FLAT;
        this.relative = drawn.stream()
                .mapToDouble(axis -> Math.max(shortest, length(axis) / longest))
                .toArray();
    }

    private static List<Integer> choose(CopyPlan plan) {
        ChunkGrid source = plan.problem().source();
        ChunkGrid target = plan.problem().target();
        List<Integer> byInterest = IntStream.range(0, source.rank())
                .boxed()
                .filter(axis -> source.axis(axis).length() > 1)
                .sorted(Comparator.<Integer, Boolean>comparing(axis -> alike(source.axis(axis), target.axis(axis)))
                        .thenComparing(axis -> -parts(plan, axis))
                        .thenComparing(axis -> -source.axis(axis).length()))
                .toList();
        List<Integer> chosen = new ArrayList<>();
        for (int axis : byInterest) {
            boolean matters = !alike(source.axis(axis), target.axis(axis));
            if (chosen.size() < MOST && (matters || chosen.size() < 2)) {
                chosen.add(axis);
            }
        }
        chosen.sort(Comparator.naturalOrder());
        return List.copyOf(chosen);
    }

    private static boolean alike(Partition a, Partition b) {
        return a.equals(b) || (a.count() <= 1 && b.count() <= 1);
    }

    private static long parts(CopyPlan plan, int axis) {
        long parts = plan.problem().source().axis(axis).count()
                + plan.problem().target().axis(axis).count();
        for (Stage stage : plan.stages()) {
            parts += stage.windows().axis(axis).count();
        }
        return parts;
    }

    /** {@return the axes that are drawn, in order} */
    List<Integer> drawn() {
        return drawn;
    }

    /** {@return the length of drawn axis {@code place}, of which the longest is 1} */
    double relative(int place) {
        return relative[place];
    }

    private double length(int axis) {
        return problem.source().axis(axis).length();
    }

    /** {@return an axis and its length: {@code time 600}, {@code axis 0: 600}} */
    String label(int axis) {
        String length = Words.count(length(axis));
        return isNamed(axis) ? names.get(axis) + " " + length : name(axis) + ": " + length;
    }

    /** {@return what an axis is called} */
    String name(int axis) {
        return isNamed(axis) ? String.valueOf(names.get(axis)) : "axis " + axis;
    }

    private boolean isNamed(int axis) {
        return axis < names.size()
                && names.get(axis) != null
                && !String.valueOf(names.get(axis)).isBlank();
    }

    /** {@return what the picture does not show, or shows in another scale; one sentence each} */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        double longest = drawn.stream().mapToDouble(this::length).max().orElse(1);
        for (int place = 0; place < relative.length; place++) {
            double stretched = relative[place] * longest / length(drawn.get(place));
            if (stretched > 1.05) {
                notes.add(name(drawn.get(place)) + " is stretched " + Words.fold(stretched));
            }
        }
        for (int axis = 0; axis < problem.source().rank(); axis++) {
            if (!drawn.contains(axis)) {
                notes.add(name(axis) + " (" + Words.count(length(axis)) + ") is not drawn: " + cuts(axis));
            }
        }
        return notes;
    }

    private String cuts(int axis) {
        Partition source = problem.source().axis(axis);
        Partition target = problem.target().axis(axis);
        if (!alike(source, target)) {
            return "chunks of " + Words.count(source.maxSize()) + " become " + Words.count(target.maxSize());
        }
        return source.count() <= 1 ? "one chunk" : "chunks of " + Words.count(source.maxSize()) + " on both sides";
    }
}
