package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step that puts axes in another order: those that it names, one after the other. Axes that it does not name stay at
 * their places, or are where {@code ...} is.
 */
final class TransposeStep extends GeometryStep {
    static final String NAME = "transpose";
    private static final String OTHERS = "...";

    private final List<String> order;

    private TransposeStep(String text, List<String> order) {
        super(NAME, text);
        this.order = order;
    }

    static TransposeStep parse(String text) {
        List<String> order = ViewSteps.names(NAME, text);
        if (order.size() == 1) {
            throw new IllegalArgumentException(
                    NAME + " \"" + text + "\" names one axis; name all in their new order, as in \"y, x, time\","
                            + " or some and ... for the others, as in \"time, ...\"");
        }
        return new TransposeStep(text, order);
    }

    @Override
    Rule rule(NamedAxes axes) {
        List<String> names = order.stream().filter(name -> !name.equals(OTHERS)).toList();
        axes.requireKnown(described(), names);
        return (path, spec) -> {
            List<Integer> named = new ArrayList<>();
            int others = -1;
            for (String name : order) {
                int axis = name.equals(OTHERS) ? -1 : axes.find(path, spec, name);
                if (axis >= 0) {
                    if (named.contains(axis)) {
                        throw new IllegalArgumentException(
                                described() + " names axis " + NamedAxes.name(spec, axis) + " twice");
                    }
                    named.add(axis);
                } else if (name.equals(OTHERS)) {
                    others = named.size();
                }
            }
            requireAll(axes, path, spec, named, others);
            List<Integer> all = others < 0 ? inPlace(spec, named) : around(spec, named, others);
            return Optional.of(Geometry.whole(spec.shape()).transposed(all));
        };
    }

    /** Checks that numbers, which say where axes are, say it of all. */
    private void requireAll(NamedAxes axes, String path, ArraySpec spec, List<Integer> named, int others) {
        boolean asked = axes.isSource(path)
                || order.stream()
                        .anyMatch(name -> NamedAxes.isNumber(name)
                                && !spec.dimensionNames().contains(name)
                                && axes.find(path, spec, name) >= 0
                                && !axes.isArray());
        if (asked && others < 0 && named.size() < spec.shape().rank()) {
            List<String> left = new ArrayList<>();
            for (int axis = 0; axis < spec.shape().rank(); axis++) {
                if (!named.contains(axis)) {
                    left.add(NamedAxes.name(spec, axis));
                }
            }
            throw new IllegalArgumentException(described() + " does not name " + left + " of /" + path
                    + "; name all axes in their new order, or write ... for the others");
        }
    }

    private static List<Integer> inPlace(ArraySpec spec, List<Integer> named) {
        List<Integer> all = new ArrayList<>();
        int next = 0;
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            all.add(named.contains(axis) ? named.get(next++) : axis);
        }
        return all;
    }

    private static List<Integer> around(ArraySpec spec, List<Integer> named, int others) {
        List<Integer> all = new ArrayList<>(named.subList(0, others));
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            if (!named.contains(axis)) {
                all.add(axis);
            }
        }
        all.addAll(named.subList(others, named.size()));
        return all;
    }
}
