package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import dev.rechunker.plan.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The axes of an array that are drawn, and their lengths in the picture.
 *
 * <p>At most three axes are drawn. Those on which source and target differ come first, then those with the most parts.
 * An axis has the same length in every panel; one that would be too short to see is stretched.
 */
final class DrawnAxes {
    private static final int MOST = 3;

    /** The least length of an axis relative to the longest one, if three axes are drawn. */
    private static final double SHORTEST = 0.4;

    /** The least length of an axis relative to the longest one, if fewer axes are drawn. */
    private static final double SHORTEST_FLAT = 0.8;

    private final ChunkGrid source;
    private final ChunkGrid target;
    private final List<? extends @Nullable String> names;
    private final List<Integer> drawn;
    private final double[] relative;

    DrawnAxes(CopyPlan plan, List<? extends @Nullable String> names) {
        this(
                plan.problem().source(),
                plan.problem().target(),
                plan.stages().stream().map(Stage::windows).toList(),
                names);
    }

    /** Creates the axes of grids that are drawn beside each other: two of chunks, and those of tasks. */
    DrawnAxes(ChunkGrid source, ChunkGrid target, List<ChunkGrid> tasks, List<? extends @Nullable String> names) {
        this.source = source;
        this.target = target;
        this.names = names;
        this.drawn = choose(tasks);
        double longest = drawn.stream().mapToDouble(this::length).max().orElse(1);
        double shortest = drawn.size() == MOST ? SHORTEST : SHORTEST_FLAT;
        this.relative = drawn.stream()
                .mapToDouble(axis -> Math.max(shortest, length(axis) / longest))
                .toArray();
    }

    private List<Integer> choose(List<ChunkGrid> tasks) {
        List<Integer> byInterest = IntStream.range(0, source.rank())
                .boxed()
                .filter(axis -> source.axis(axis).length() > 1)
                .sorted(Comparator.<Integer, Boolean>comparing(axis -> alike(source.axis(axis), target.axis(axis)))
                        .thenComparing(axis -> -parts(tasks, axis))
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

    private long parts(List<ChunkGrid> tasks, int axis) {
        long parts = source.axis(axis).count() + target.axis(axis).count();
        for (ChunkGrid grid : tasks) {
            parts += grid.axis(axis).count();
        }
        return parts;
    }

    /** {@return the axes that are drawn, in order} */
    List<Integer> drawn() {
        return drawn;
    }

    /**
     * {@return the length in the picture of the drawn axis at position {@code place}; the longest axis has length 1}
     */
    double relative(int place) {
        return relative[place];
    }

    private double length(int axis) {
        return source.axis(axis).length();
    }

    /** {@return the name and the number of elements of an axis: {@code time 600} or {@code axis 0: 600}} */
    String label(int axis) {
        String length = NumberText.count(length(axis));
        return isNamed(axis) ? names.get(axis) + " " + length : name(axis) + ": " + length;
    }

    /** {@return the name of an axis, or {@code axis 0} for one without a name} */
    String name(int axis) {
        return isNamed(axis) ? String.valueOf(names.get(axis)) : "axis " + axis;
    }

    private boolean isNamed(int axis) {
        return axis < names.size()
                && names.get(axis) != null
                && !String.valueOf(names.get(axis)).isBlank();
    }

    /** {@return notes on axes that are stretched or not drawn, one phrase each} */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        double longest = drawn.stream().mapToDouble(this::length).max().orElse(1);
        for (int place = 0; place < relative.length; place++) {
            double stretched = relative[place] * longest / length(drawn.get(place));
            if (stretched > 1.05) {
                notes.add(name(drawn.get(place)) + " is stretched " + NumberText.times(stretched));
            }
        }
        for (int axis = 0; axis < source.rank(); axis++) {
            if (!drawn.contains(axis)) {
                notes.add(name(axis) + " (" + NumberText.count(length(axis)) + ") is not drawn: " + cuts(axis));
            }
        }
        return notes;
    }

    private String cuts(int axis) {
        Partition from = source.axis(axis);
        Partition to = target.axis(axis);
        if (!alike(from, to)) {
            return "chunks of " + NumberText.count(from.maxSize()) + " become " + NumberText.count(to.maxSize());
        }
        return from.count() <= 1 ? "one chunk" : "chunks of " + NumberText.count(from.maxSize()) + " on both sides";
    }
}
