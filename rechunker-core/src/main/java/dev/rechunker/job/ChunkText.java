package dev.rechunker.job;

import com.google.common.math.LongMath;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.resource.ByteSize;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A choice of chunks in text form.
 *
 * @param subject what is chosen, for messages: {@code chunks} or {@code shards}
 * @param entries the entries
 * @param names the axis names of the entries, {@code "..."} for all others; empty if the entries are in the order of
 *     the axes
 */
public record ChunkText(String subject, List<ChunkEntry> entries, List<String> names) implements ChunkChoice {
    /** The size of chunks that {@code auto} stands for. */
    public static final ByteSize AUTO_SIZE = ByteSize.of(16L << 20);

    /** The choice of the chunks of the source. */
    public static final ChunkText KEEP = new ChunkText("chunks", List.of(new ChunkEntry.Keep()), List.of());

    private static final String OTHERS = "...";
    /** A comma that is not inside brackets. */
    private static final Pattern PARTS = Pattern.compile(",(?![^\\[]*\\])");

    /** {@return the choice of these extents for every array; -1 is the whole axis} */
    public static ChunkText of(long... extents) {
        List<ChunkEntry> entries = new ArrayList<>();
        for (long extent : extents) {
            entries.add(ChunkEntry.parse(Long.toString(extent)));
        }
        return new ChunkText("chunks", entries, List.of());
    }

    /** {@return the choice of the chunks that each entry states, in the order of the axes} */
    static ChunkText ofEntries(List<String> entries) {
        return new ChunkText("chunks", entries.stream().map(ChunkEntry::parse).toList(), List.of());
    }

    /**
     * {@return the choice that a text states}
     *
     * @throws IllegalArgumentException if the text is not of this form
     */
    public static ChunkText parse(String subject, String text) {
        List<ChunkEntry> entries = new ArrayList<>();
        List<String> names = new ArrayList<>();
        if (text.isBlank()) {
            return new ChunkText(subject, entries, names);
        }
        for (String part : PARTS.split(text, -1)) {
            int equals = part.indexOf('=');
            if (equals >= 0) {
                String name = part.substring(0, equals).trim();
                if (names.contains(name)) {
                    throw new IllegalArgumentException(subject + " \"" + text + "\" names axis " + name + " twice");
                }
                names.add(name);
            }
            entries.add(ChunkEntry.parse(part.substring(equals + 1)));
        }
        if (!names.isEmpty() && names.size() != entries.size()) {
            throw new IllegalArgumentException(
                    subject + " \"" + text + "\" names some axes but not all; name each, or none");
        }
        return new ChunkText(subject, entries, names);
    }

    /**
     * {@return the chunks of an array}
     *
     * <p>Coordinates in a group come in one chunk, unless their axis is named, or their chunks are kept.
     */
    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        return !path.isEmpty() && Coordinates.isCoordinate(path, source) && isGeneral(source)
                ? Optional.of(oneChunk(source))
                : ofNamed(path, source);
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        Set<String> unknown = new LinkedHashSet<>(names);
        unknown.remove(OTHERS);
        arrays.values().forEach(array -> unknown.removeAll(array.dimensionNames()));
        return unknown;
    }

    /**
     * {@return whether these shards are for an array}
     *
     * <p>In a group, they are not for arrays that have none of the axes that are named or another number of axes, for
     * single elements, and for coordinates whose axis is not named.
     */
    boolean isForShardsOf(String path, ArraySpec array) {
        if (path.isEmpty() || names.stream().anyMatch(array.dimensionNames()::contains)) {
            return true;
        }
        boolean inOrder = names.isEmpty()
                && (entries.size() == 1 || entries.size() == array.shape().rank());
        return (inOrder || names.contains(OTHERS))
                && array.shape().rank() > 0
                && !Coordinates.isCoordinate(path, array);
    }

    /**
     * {@return whether the entry for the axis of an array with one axis is for other arrays, too, and changes chunks}
     */
    private boolean isGeneral(ArraySpec source) {
        if (names.isEmpty()) {
            return entries.size() == 1
                    && !(entries.get(0) instanceof ChunkEntry.Extent)
                    && !(entries.get(0) instanceof ChunkEntry.Keep);
        }
        int others = names.indexOf(OTHERS);
        return !names.contains(source.dimensionNames().get(0))
                && (others < 0 || !(entries.get(others) instanceof ChunkEntry.Keep));
    }

    /** {@return chunks with all coordinates, or as many as the source has in one; at most {@link #AUTO_SIZE}} */
    static ChunkGrid oneChunk(ArraySpec coordinates) {
        long elements = Math.max(
                coordinates.shape().extent(0), coordinates.chunks().axis(0).step());
        long most = Math.max(1, AUTO_SIZE.bytes() / coordinates.dataType().itemSize());
        return ChunkGrid.regular(coordinates.shape(), Shape.of(Math.max(1, Math.min(elements, most))));
    }

    /** {@return the chunks of an array, even if it has coordinates} */
    public Optional<ChunkGrid> ofNamed(String path, ArraySpec source) {
        long[] ones = new long[source.shape().rank()];
        Arrays.fill(ones, 1);
        return Optional.of(inWhole(Shape.of(ones), path, source));
    }

    /**
     * {@return the chunks or shards of an array, each of which consists of whole units on every axis}
     *
     * <p>Numbers of elements are rounded up to whole units. A size is the most that the result takes, but it has at
     * least one unit on each axis.
     *
     * @param unit the unit, such as the chunk of a shard
     * @throws IllegalArgumentException if the choice does not fit the array, or lists a size that is no whole number of
     *     units
     */
    ChunkGrid inWhole(Shape unit, String path, ArraySpec source) {
        List<ChunkEntry> byAxis = names.isEmpty() ? inOrder(path, source) : byName(path, source);
        Shape shape = source.shape();
        long[] units = new long[shape.rank()];
        Partition[] listed = new Partition[shape.rank()];
        List<Integer> sized = new ArrayList<>();
        ByteSize size = null;
        double fixed = source.dataType().itemSize(); // may exceed a long, which is refused later
        for (int axis = 0; axis < units.length; axis++) {
            ChunkEntry entry = byAxis.get(axis);
            fixed *= unit.extent(axis);
            if (entry instanceof ChunkEntry.Sized chosen) {
                if (size != null && !size.equals(chosen.size())) {
                    throw new IllegalArgumentException(
                            subject + " names two sizes, " + size + " and " + chosen.size() + "; a chunk has one");
                }
                size = chosen.size();
                sized.add(axis);
                continue;
            }
            listed[axis] = listed(entry, unit.extent(axis), source, axis);
            long elements = listed[axis] == null ? elements(entry, source, axis) : listed[axis].step();
            units[axis] = divideUp(elements, unit.extent(axis));
            fixed *= units[axis];
        }
        if (size != null) {
            bySize(shape.combine(unit, ChunkText::divideUp), sized, size.bytes() / fixed, units);
        }
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < units.length; axis++) {
            long step = Math.multiplyExact(units[axis], unit.extent(axis));
            axes.add(listed[axis] != null ? listed[axis] : Partition.regular(shape.extent(axis), step));
        }
        return ChunkGrid.of(axes);
    }

    /** {@return the partition of an axis of which an entry states each chunk; null if it states one size for all} */
    private @Nullable Partition listed(ChunkEntry entry, long unit, ArraySpec source, int axis) {
        long length = source.shape().extent(axis);
        Partition kept = source.chunks().axis(axis);
        ListedCuts cuts = new ListedCuts(subject + " of axis " + axis);
        if (entry instanceof ChunkEntry.Sizes sizes) {
            return cuts.inUnits(cuts.of(sizes, length), unit);
        }
        if (entry instanceof ChunkEntry.KeepEach) {
            return cuts.inUnits(kept, unit);
        }
        boolean own = source.hints().containsKey(ArraySpec.IRREGULAR_HINT) && !kept.isRegular();
        return entry instanceof ChunkEntry.Keep && own && kept.isInUnits(unit) ? kept : null;
    }

    private static long elements(ChunkEntry entry, ArraySpec source, int axis) {
        if (entry instanceof ChunkEntry.Extent given) {
            return given.elements();
        }
        return entry instanceof ChunkEntry.Keep
                ? source.chunks().axis(axis).step()
                : Math.max(1, source.shape().extent(axis));
    }

    static long divideUp(long elements, long unit) {
        return LongMath.divide(elements, unit, RoundingMode.CEILING);
    }

    private List<ChunkEntry> inOrder(String path, ArraySpec source) {
        int rank = source.shape().rank();
        if (entries.size() == 1 && rank != 1 && !(entries.get(0) instanceof ChunkEntry.Extent)) {
            return Collections.nCopies(rank, entries.get(0));
        }
        if (entries.size() != rank) {
            throw new IllegalArgumentException(
                    subject + " has " + entries.size() + (entries.size() == 1 ? " axis" : " axes") + ", but "
                            + (path.isEmpty() ? "the array" : "/" + path) + " has " + rank + ": " + source.shape());
        }
        return entries;
    }

    private List<ChunkEntry> byName(String path, ArraySpec source) {
        Set<String> unknown = new LinkedHashSet<>(names);
        unknown.remove(OTHERS);
        int others = names.indexOf(OTHERS);
        List<ChunkEntry> byAxis = new ArrayList<>();
        for (int axis = 0; axis < source.shape().rank(); axis++) {
            String name = source.dimensionNames().isEmpty()
                    ? null
                    : source.dimensionNames().get(axis);
            int named = name == null ? -1 : names.indexOf(name);
            unknown.remove(name);
            byAxis.add(
                    named >= 0
                            ? entries.get(named)
                            : others >= 0 ? other(entries.get(others), source, axis) : new ChunkEntry.Keep());
        }
        if (path.isEmpty() && !unknown.isEmpty()) {
            throw new IllegalArgumentException(subject + " names " + unknown + ", but the axes of the array are called "
                    + source.dimensionNames());
        }
        return byAxis;
    }

    /** {@return the entry for an axis that is not named; chunks are not longer than the axis unless it may grow} */
    private static ChunkEntry other(ChunkEntry others, ArraySpec source, int axis) {
        long extent = Math.max(1, source.shape().extent(axis));
        return others instanceof ChunkEntry.Extent given
                        && given.elements() > extent
                        && !source.unlimitedAxes().contains(axis)
                ? new ChunkEntry.Extent(extent)
                : others;
    }

    /**
     * Distributes the elements of a chunk evenly over axes; an axis shorter than its share leaves the rest to the
     * others.
     */
    private static void bySize(Shape shape, List<Integer> axes, double elements, long[] extents) {
        List<Integer> open = new ArrayList<>(axes);
        open.sort(Comparator.comparingLong(shape::extent));
        double left = Math.max(1, elements);
        while (!open.isEmpty()) {
            int axis = open.remove(0);
            long extent = Math.max(1, shape.extent(axis));
            long share = Math.max(1, (long) Math.floor(Math.pow(left, 1.0 / (open.size() + 1)) + 1e-9));
            long most = Math.min(extent, share);
            // Makes chunks nearly equal, so that the last one is not small.
            long parts = (extent - 1) / most + 1;
            extents[axis] = (extent - 1) / parts + 1;
            left = Math.max(1, left / extents[axis]);
        }
    }
}
