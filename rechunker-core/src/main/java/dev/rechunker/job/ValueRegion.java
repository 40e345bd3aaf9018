package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.job.RegionText.Range;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Nodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns ranges of coordinates into ranges of indices. */
final class ValueRegion {
    private final RegionText region;
    private final StoreLocation source;
    private final long most;
    private final Map<String, ArraySpec> arrays;

    private ValueRegion(RegionText region, StoreLocation source, long most) throws IOException {
        this.region = region;
        this.source = source;
        this.most = most;
        this.arrays = new TreeMap<>(Nodes.arrays(source));
    }

    /**
     * {@return the region with indices only}
     *
     * @param maxMem the memory that reading coordinates may take
     * @throws IllegalArgumentException if an axis has no coordinates, or they do not select the same elements
     *     everywhere
     */
    static RegionText resolve(RegionText region, StoreLocation source, ByteSize maxMem) throws IOException {
        if (region.ranges().stream().allMatch(range -> range.values().isEmpty())) {
            return region;
        }
        ValueRegion values = new ValueRegion(region, source, maxMem.bytes());
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < region.ranges().size(); i++) {
            Range range = region.ranges().get(i);
            ranges.add(
                    range.values().isEmpty()
                            ? range
                            : values.resolve(i, range.values().get()));
        }
        return new RegionText(region.text(), ranges, region.names());
    }

    private Range resolve(int entry, ValueRange values) throws IOException {
        String axis = axis(entry);
        Map<String, Range> found = new TreeMap<>();
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            if (array.getValue().dimensionNames().contains(axis)) {
                String coordinates = coordinates(source.resolve(array.getKey()).path(), axis);
                if (!found.containsKey(coordinates)) {
                    found.put(coordinates, search(coordinates, values));
                }
            }
        }
        if (found.isEmpty()) {
            return Range.ALL; // the axis is refused when the region is compared with the source
        }
        Map.Entry<String, Range> first = found.entrySet().iterator().next();
        for (Map.Entry<String, Range> other : found.entrySet()) {
            if (!other.getValue().equals(first.getValue())) {
                throw refused(values + " of " + axis + " is not the same part everywhere: elements "
                        + text(first.getValue()) + " of " + first.getKey() + ", but " + text(other.getValue()) + " of "
                        + other.getKey() + "; copy the arrays one by one");
            }
        }
        return first.getValue();
    }

    private static String text(Range range) {
        return range.from() + ":" + range.to();
    }

    private Range search(String coordinates, ValueRange values) throws IOException {
        try {
            return CoordinateSearch.find(source.store().at(coordinates), values, most);
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("the region \"" + region.text() + "\": " + why);
    }

    private String axis(int entry) throws IOException {
        if (!region.names().isEmpty()) {
            return region.names().get(entry);
        }
        @Nullable
        String name = source.store().node(source.path()).orElse(null) instanceof ChunkStore.ArrayNode array
                        && entry < array.spec().dimensionNames().size()
                ? array.spec().dimensionNames().get(entry)
                : null;
        if (name == null) {
            throw refused("axis " + entry + " has no name, so there are no coordinates of it; use indices");
        }
        return name;
    }

    /** {@return the path of the coordinates of an axis: the nearest array of its name around an array} */
    private String coordinates(String path, String axis) throws IOException {
        for (String group = path; !group.isEmpty(); ) {
            group = NodePaths.parent(group);
            String candidate = NodePaths.below(group, axis);
            Optional<ChunkStore.Node> node = axis.contains("/") || axis.isEmpty()
                    ? Optional.empty()
                    : source.store().node(candidate);
            if (node.isPresent() && node.get() instanceof ChunkStore.ArrayNode array) {
                if (Coordinates.isCoordinate(candidate, array.spec())) {
                    return candidate;
                }
                throw refused(source.store().at(candidate) + " has the axes " + axes(array.spec())
                        + ", so it is no coordinate of " + axis + "; use indices");
            }
        }
        throw refused("there are no coordinates of " + axis + " around "
                + source.store().at(path) + "; use indices");
    }

    private static String axes(ArraySpec spec) {
        Shape shape = spec.shape();
        return spec.dimensionNames().stream().allMatch(Objects::nonNull)
                ? spec.dimensionNames() + " " + shape
                : shape.toString();
    }
}
