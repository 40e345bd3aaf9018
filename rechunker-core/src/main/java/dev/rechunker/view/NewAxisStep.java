package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A step that adds axes of one element. In a group, it concerns arrays of data: not coordinates, nor what attributes of
 * other arrays name, nor arrays without axes.
 */
final class NewAxisStep extends GeometryStep {
    static final String NAME = "new-axis";

    /** A name and the position of the axis; the first is {@code c}, or {@code c=2}. */
    private static final Pattern FORM = Pattern.compile("([^=\\s][^=]*?)\\s*(?:=\\s*(\\d{1,3}))?");

    /** The positions of the new axes by name. */
    private final Map<String, Integer> positions;

    private NewAxisStep(String text, Map<String, Integer> positions) {
        super(NAME, text);
        this.positions = positions;
    }

    static NewAxisStep parse(String text) {
        Map<String, Integer> positions = new LinkedHashMap<>();
        for (String part : ViewSteps.names(NAME, text)) {
            Matcher axis = FORM.matcher(part);
            if (!axis.matches() || NamedAxes.isNumber(axis.group(1))) {
                throw new IllegalArgumentException("\"" + part + "\" in " + NAME + " \"" + text
                        + "\" is not a name; write c, or c=1 for an axis that is not the first");
            }
            int position = axis.group(2) == null ? 0 : Integer.parseInt(axis.group(2));
            if (positions.put(axis.group(1), position) != null) {
                throw new IllegalArgumentException(NAME + " \"" + text + "\" names axis " + axis.group(1) + " twice");
            }
        }
        return new NewAxisStep(text, positions);
    }

    @Override
    Rule rule(NamedAxes axes) {
        return (path, spec) -> {
            boolean concerned = axes.isArray() ? axes.isSource(path) : axes.isData(path, spec);
            return concerned ? Optional.of(geometry(path, spec)) : Optional.empty();
        };
    }

    private Geometry geometry(String path, ArraySpec spec) {
        Geometry geometry = Geometry.whole(spec.shape());
        for (Map.Entry<String, Integer> axis : positions.entrySet()) {
            if (spec.dimensionNames().contains(axis.getKey())) {
                throw new IllegalArgumentException(
                        described() + " adds an axis that /" + path + " has: " + spec.dimensionNames());
            }
            if (axis.getValue() > geometry.rank()) {
                throw new IllegalArgumentException(described() + " adds axis " + axis.getKey() + " at position "
                        + axis.getValue() + ", but /" + path + " has " + geometry.rank() + " axes");
            }
            geometry = geometry.withNew(axis.getValue(), axis.getKey());
        }
        return geometry;
    }
}
