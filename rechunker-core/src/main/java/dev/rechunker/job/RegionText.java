package dev.rechunker.job;

import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Images;
import dev.rechunker.view.Nodes;
import dev.rechunker.view.RegionView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A region of arrays in text form: one range {@code from:to} for each axis, in order or by name.
 *
 * @param text the text
 * @param ranges the ranges of the entries
 * @param names the axis names of the entries; empty if the entries are in the order of the axes
 */
public record RegionText(String text, List<Range> ranges, List<String> names) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,19})?\\s*:\\s*(\\d{1,19})?");

    /**
     * A range on an axis.
     *
     * @param from the first element
     * @param to the end, exclusive; -1 for the end of the axis
     * @param values the coordinates that the range is to contain; empty if it is given by the indices of elements
     */
    public record Range(long from, long to, Optional<ValueRange> values) {
        static final Range ALL = new Range(0, -1);

        Range(long from, long to) {
            this(from, to, Optional.empty());
        }

        long end(long length) {
            return to < 0 ? length : to;
        }
    }

    /**
     * {@return the region that a text states}
     *
     * @throws IllegalArgumentException if the text is not of this form
     */
    public static RegionText parse(String text) {
        List<Range> ranges = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String entry = part.substring(equals + 1).trim();
            Range range = range(entry, text);
            if (equals >= 0) {
                String name = part.substring(0, equals).trim();
                if (names.contains(name)) {
                    throw new IllegalArgumentException("the region \"" + text + "\" names axis " + name + " twice");
                }
                names.add(name);
            }
            ranges.add(range);
        }
        if (!names.isEmpty() && names.size() != ranges.size()) {
            throw new IllegalArgumentException(
                    "the region \"" + text + "\" names some axes but not all; name each, or none");
        }
        return new RegionText(text, ranges, names);
    }

    private static Range range(String entry, String text) {
        Matcher range = RANGE.matcher(entry);
        if (!range.matches()) {
            ValueRange values = ValueRange.parse(entry)
                    .orElseThrow(() -> new IllegalArgumentException("\"" + entry + "\" in the region \"" + text
                            + "\" is not a range; write from:to, from:, :to, or : for a whole axis; as coordinates"
                            + " write 40.0:60.0, 2020-01-01:2020-01-31 or @500:@850"));
            return new Range(0, -1, Optional.of(values));
        }
        Long from = range.group(1) == null ? Long.valueOf(0) : Longs.tryParse(range.group(1));
        Long to = range.group(2) == null ? Long.valueOf(-1) : Longs.tryParse(range.group(2));
        if (from == null || to == null) {
            throw new IllegalArgumentException(
                    "\"" + entry + "\" in the region \"" + text + "\" exceeds 2^63 - 1, the largest length of an axis");
        }
        if (to >= 0 && to < from) {
            throw new IllegalArgumentException(
                    "\"" + entry + "\" in the region \"" + text + "\" ends before it begins");
        }
        return new Range(from, to);
    }

    /** {@return a region of one array} */
    public static RegionText of(Region region) {
        List<Range> ranges = new ArrayList<>();
        for (int axis = 0; axis < region.rank(); axis++) {
            ranges.add(new Range(region.start(axis), region.end(axis)));
        }
        return new RegionText(region.toString(), ranges, List.of());
    }

    /** {@return the region in the form of {@link #parse}} */
    String canonical() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            Range range = ranges.get(i);
            String end = range.to() < 0 ? "" : String.valueOf(range.to());
            String indices = range.from() + ":" + end;
            parts.add((names.isEmpty() ? "" : names.get(i) + "=")
                    + range.values().map(ValueRange::toString).orElse(indices));
        }
        return String.join(", ", parts);
    }

    /** {@return the region of an array} */
    Region region(String path, ArraySpec spec) {
        String array = path.isEmpty() ? "the array" : "/" + path;
        Shape shape = spec.shape();
        if (names.isEmpty() && ranges.size() != shape.rank()) {
            throw new IllegalArgumentException("the region \"" + text + "\" has " + ranges.size()
                    + (ranges.size() == 1 ? " axis" : " axes") + ", but " + array + " has " + shape.rank() + ": "
                    + shape);
        }
        long[] origin = new long[shape.rank()];
        long[] extents = new long[shape.rank()];
        for (int axis = 0; axis < origin.length; axis++) {
            Range range = range(spec, axis);
            long end = range.end(shape.extent(axis));
            if (range.from > end || end > shape.extent(axis)) {
                throw new IllegalArgumentException("the region \"" + text + "\" is not inside of " + array
                        + ", which has " + shape.extent(axis) + " elements on axis " + axisName(spec, axis));
            }
            origin[axis] = range.from;
            extents[axis] = end - range.from;
        }
        return Region.of(origin, Shape.of(extents));
    }

    private Range range(ArraySpec spec, int axis) {
        if (names.isEmpty()) {
            return ranges.get(axis);
        }
        int named = names.indexOf(axisName(spec, axis));
        return named < 0 ? Range.ALL : ranges.get(named);
    }

    private static String axisName(ArraySpec spec, int axis) {
        String name =
                spec.dimensionNames().isEmpty() ? null : spec.dimensionNames().get(axis);
        return name == null ? String.valueOf(axis) : name;
    }

    /** {@return a view that consists of this region of each array at a location and below it} */
    StoreLocation of(StoreLocation source) {
        return new RegionView(source.store(), text, this::region).at(source.path());
    }

    /**
     * Checks that this region fits what is copied: arrays must have the axes that it names, and each of these axes must
     * be equally long in all arrays, so that the same index means the same place.
     *
     * @param levels the source with the levels that the copy makes, which are made of the region
     * @return the region of the source, if it is an array
     */
    Optional<Region> requireFits(StoreLocation source, StoreLocation levels) throws IOException {
        Optional<ChunkStore.Node> node = source.store().node(source.path());
        if (names.isEmpty() && node.isPresent() && node.get() instanceof ChunkStore.GroupNode) {
            throw new IllegalArgumentException(
                    "the region \"" + text + "\" is for one array, but " + source + " is a group; name the axes");
        }
        Map<String, Long> lengths = new LinkedHashMap<>();
        Set<String> others = new LinkedHashSet<>();
        Nodes.arrays(levels).forEach((path, array) -> {
            if (!array.hints().containsKey(ArraySpec.LEVEL_FACTORS_HINT)) {
                compare(source.resolve(path), array, lengths, others);
            }
        });
        Set<String> unknown = new LinkedHashSet<>(names);
        unknown.removeAll(lengths.keySet());
        if (!unknown.isEmpty()) {
            others.addAll(lengths.keySet());
            throw new IllegalArgumentException("the region \"" + text + "\" names " + unknown + ", but the axes of "
                    + source + " are called " + others);
        }
        return node.isPresent() && node.get() instanceof ChunkStore.ArrayNode array
                ? Optional.of(region(source.path(), array.spec()))
                : Optional.empty();
    }

    /** Compares the axes of an array with those that were seen before. */
    private void compare(StoreLocation place, ArraySpec array, Map<String, Long> lengths, Set<String> others) {
        for (int axis = 0; axis < array.shape().rank(); axis++) {
            String name = axisName(array, axis);
            long length = array.shape().extent(axis);
            if (!names.contains(name)) {
                others.add(name);
            } else if (lengths.merge(name, length, (known, same) -> known) != length) {
                throw new IllegalArgumentException(Images.differentLengths(
                        "the region \"" + text + "\"", name, place.toString(), length, lengths.getOrDefault(name, 0L)));
            }
        }
    }
}
