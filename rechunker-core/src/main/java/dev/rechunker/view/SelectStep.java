package dev.rechunker.view;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A step that selects elements of axes: a range {@code from:to}, one with a step {@code from:to:step}, a list
 * {@code [5,1,7]}, or one index, whose axis stays with one element. Negative indices count from the end of the axis, as
 * in Python; an index outside the axis is refused.
 */
final class SelectStep extends GeometryStep {
    static final String NAME = "select";

    private static final String INDEX = "\\s*(-?\\d{1,18})?\\s*";
    private static final Pattern RANGE = Pattern.compile(INDEX + ":" + INDEX + "(?::" + INDEX + ")?");
    private static final Pattern LIST = Pattern.compile("\\[([^\\[\\]]*)\\]");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    /** What is selected by the name of the axis; by its number if it is given for all axes in order. */
    private final Map<String, Selection> selections;

    private final boolean inOrder;

    private SelectStep(String text, Map<String, Selection> selections, boolean inOrder) {
        super(NAME, text);
        this.selections = selections;
        this.inOrder = inOrder;
    }

    /**
     * What is selected on an axis.
     *
     * @param from the start of the range; null for the end of the axis that the step leads away from
     * @param to the end of the range, exclusive; null for the other end of the axis
     * @param step the step, not 0
     * @param list the indices; null if it is a range
     */
    private record Selection(
            @Nullable Long from,
            @Nullable Long to,
            long step,
            @Nullable List<Long> list) {
        /** {@return the indices on an axis; empty if one is outside} */
        Optional<Indices> on(long length) {
            if (list != null) {
                long[] indices = list.stream()
                        .mapToLong(index -> index < 0 ? index + length : index)
                        .toArray();
                for (long index : indices) {
                    if (index < 0 || index >= length) {
                        return Optional.empty();
                    }
                }
                return Optional.of(Indices.of(indices));
            }
            long start = from == null ? (step > 0 ? 0 : length - 1) : from < 0 ? from + length : from;
            long end = to == null ? (step > 0 ? length : -1) : to < 0 ? to + length : to;
            long least = step > 0 ? 0 : -1;
            long most = step > 0 ? length : length - 1;
            if (start < least || start > most || end < least || end > most) {
                return Optional.empty();
            }
            long span = step > 0 ? end - start : start - end;
            long width = Math.abs(step);
            return Optional.of(Indices.of(start, step, span <= 0 ? 0 : (span - 1) / width + 1));
        }
    }

    static SelectStep parse(String text) {
        Map<String, Selection> selections = new LinkedHashMap<>();
        int named = 0;
        List<String> parts = ViewSteps.parts(text);
        for (String part : parts) {
            int equals = part.indexOf('=');
            String name = equals < 0
                    ? String.valueOf(selections.size())
                    : part.substring(0, equals).trim();
            named += equals < 0 ? 0 : 1;
            if (selections.put(name, selection(part.substring(equals + 1).trim(), text)) != null) {
                throw new IllegalArgumentException(NAME + " \"" + text + "\" names axis " + name + " twice");
            }
        }
        if (named != 0 && named != parts.size()) {
            throw new IllegalArgumentException(
                    NAME + " \"" + text + "\" names some axes but not all; name each, or none");
        }
        return new SelectStep(text, selections, named == 0);
    }

    private static Selection selection(String entry, String text) {
        Matcher range = RANGE.matcher(entry);
        Matcher list = LIST.matcher(entry);
        if (range.matches()) {
            Long step = number(range.group(3));
            if (step != null && step == 0) {
                throw new IllegalArgumentException("\"" + entry + "\" in " + NAME + " \"" + text + "\" has step 0");
            }
            return new Selection(number(range.group(1)), number(range.group(2)), step == null ? 1 : step, null);
        }
        String indices = list.matches() ? list.group(1) : entry;
        List<Long> numbers = new ArrayList<>();
        for (String index : indices.isBlank() && list.matches() ? new String[0] : indices.split(",", -1)) {
            if (!NUMBER.matcher(index.trim()).matches()) {
                throw new IllegalArgumentException("\"" + entry + "\" in " + NAME + " \"" + text
                        + "\" selects nothing; write from:to, from:to:step, ::3, a list [5,1,7], or one index");
            }
            numbers.add(Long.parseLong(index.trim()));
        }
        return new Selection(null, null, 1, List.copyOf(numbers));
    }

    private static @Nullable Long number(@Nullable String text) {
        return text == null ? null : Long.valueOf(text);
    }

    @Override
    Rule rule(NamedAxes axes) {
        axes.requireKnown(described(), selections.keySet());
        requireSameLengths(axes);
        return (path, spec) -> {
            if (inOrder
                    && axes.isSource(path)
                    && selections.size() != spec.shape().rank()) {
                throw new IllegalArgumentException(described() + " selects on " + selections.size() + " axes, but /"
                        + path + " has " + spec.shape().rank() + "; write : for a whole axis, or name axes");
            }
            Geometry geometry = Geometry.whole(spec.shape());
            for (Map.Entry<String, Selection> selection : selections.entrySet()) {
                int axis = axes.find(path, spec, selection.getKey());
                if (axis >= 0) {
                    long length = spec.shape().extent(axis);
                    Indices chosen = selection
                            .getValue()
                            .on(length)
                            .orElseThrow(() -> new IllegalArgumentException(described() + " is not inside of /" + path
                                    + ", which has " + length + " elements on axis " + NamedAxes.name(spec, axis)));
                    geometry = geometry.selected(axis, chosen);
                }
            }
            return Optional.of(geometry);
        };
    }

    /** Checks that each axis is equally long in all arrays, so that the same index means the same place. */
    private void requireSameLengths(NamedAxes axes) {
        if (inOrder && !axes.isArray()) {
            throw new IllegalArgumentException(
                    described() + " is for one array, but " + axes + " is a group; name the axes");
        }
        Map<String, Long> lengths = new HashMap<>();
        axes.arrays().forEach((path, spec) -> {
            for (String name : selections.keySet()) {
                int axis = axes.find(axes.path(path), spec, name);
                long length = axis < 0 ? -1 : spec.shape().extent(axis);
                if (axis >= 0 && lengths.merge(name, length, (known, same) -> known) != length) {
                    throw new IllegalArgumentException(Images.differentLengths(
                            described(), name, "/" + axes.path(path), length, lengths.getOrDefault(name, 0L)));
                }
            }
        });
    }
}
