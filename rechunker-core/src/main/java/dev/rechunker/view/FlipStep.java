package dev.rechunker.view;

import java.util.List;
import java.util.Optional;

/** A step that reverses axes. */
final class FlipStep extends GeometryStep {
    static final String NAME = "flip";

    private final List<String> names;

    private FlipStep(String text, List<String> names) {
        super(NAME, text);
        this.names = names;
    }

    static FlipStep parse(String text) {
        return new FlipStep(text, ViewSteps.names(NAME, text));
    }

    @Override
    Rule rule(NamedAxes axes) {
        axes.requireKnown(described(), names);
        return (path, spec) -> {
            Geometry geometry = Geometry.whole(spec.shape());
            for (String name : names) {
                int axis = axes.find(path, spec, name);
                if (axis >= 0) {
                    long length = spec.shape().extent(axis);
                    geometry = geometry.selected(axis, Indices.of(length - 1, -1, length));
                }
            }
            return Optional.of(geometry);
        };
    }
}
