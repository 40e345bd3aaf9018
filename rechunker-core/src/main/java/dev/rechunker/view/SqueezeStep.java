package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** A step that drops axes of one element: those that it names, or all. */
final class SqueezeStep extends GeometryStep {
    static final String NAME = "squeeze";

    private final List<String> names;

    private SqueezeStep(String text, List<String> names) {
        super(NAME, text);
        this.names = names;
    }

    static SqueezeStep parse(String text) {
        return new SqueezeStep(text.trim(), text.isBlank() ? List.of() : ViewSteps.names(NAME, text));
    }

    @Override
    Rule rule(NamedAxes axes) {
        axes.requireKnown(described(), names);
        return (path, spec) -> {
            Geometry geometry = Geometry.whole(spec.shape());
            List<Integer> last = new ArrayList<>(new TreeSet<>(dropped(axes, path, spec)).descendingSet());
            for (int axis : last) {
                geometry = geometry.without(axis);
            }
            return Optional.of(geometry);
        };
    }

    private List<Integer> dropped(NamedAxes axes, String path, ArraySpec spec) {
        List<Integer> dropped = new ArrayList<>();
        for (int axis = 0; names.isEmpty() && axis < spec.shape().rank(); axis++) {
            if (spec.shape().extent(axis) == 1) {
                dropped.add(axis);
            }
        }
        for (String name : names) {
            int axis = axes.find(path, spec, name);
            if (axis >= 0 && spec.shape().extent(axis) != 1) {
                throw new IllegalArgumentException(described() + " drops axes of one element, but axis "
                        + NamedAxes.name(spec, axis) + " of /" + path + " has "
                        + spec.shape().extent(axis) + "; select one of them first");
            }
            if (axis >= 0) {
                dropped.add(axis);
            }
        }
        return dropped;
    }
}
