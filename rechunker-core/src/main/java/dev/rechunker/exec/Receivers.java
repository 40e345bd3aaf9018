package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The units that a read touches, shared by all reads of a window that touch the same units.
 *
 * <p>The elements of these reads are counted together, and copied by rows of units. So a read takes little time for
 * each unit, even if there are thousands of units with one element each.
 */
final class Receivers {
    /** Units of the same shape side by side along an axis, at even distances in memory. */
    static final class Row {
        /** The region of the first unit. */
        final Region first;

        /** The number of units. */
        final long count;

        /** The memory of the units. */
        final ByteBuffer buffer;

        /** The strides of a unit in bytes, followed by the distance from one unit to the next. */
        final long[] strides;

        private Row(Region first, long count, ByteBuffer buffer, long[] strides) {
            this.first = first;
            this.count = count;
            this.buffer = buffer;
            this.strides = strides;
        }
    }

    private final Region indices;
    private final Region reads;
    private final Ring ring;
    private final int along;
    private final List<@Nullable Unit> units;
    private final List<List<Row>> rows = new ArrayList<>();
    private final AtomicLong missing;
    private volatile boolean hasData;

    /**
     * Creates the receivers of some reads.
     *
     * @param indices the indices of the units
     * @param units the units in row-major order, with null for units that were done before
     * @param reads the box of all reads that touch exactly these units
     * @param ring the ring that contains the units
     */
    Receivers(Region indices, List<@Nullable Unit> units, Region reads, Ring ring) {
        this.indices = indices;
        this.units = units;
        this.reads = reads;
        this.ring = ring;
        this.along = longest(indices);
        this.missing = new AtomicLong(reads.elements());
        Odometer place = new Odometer(across());
        while (place.next()) {
            rows.add(rows(side(place.index())));
        }
    }

    /** {@return the axis with the most units, which is that of the rows; -1 if there is no axis} */
    private static int longest(Region indices) {
        int longest = indices.rank() - 1;
        for (int axis = longest - 1; axis >= 0; axis--) {
            if (indices.extent(axis) > indices.extent(longest)) {
                longest = axis;
            }
        }
        return longest;
    }

    /** {@return the indices of the first units along the axis of the rows} */
    private Region across() {
        long[] extents = indices.shape().toArray();
        if (along >= 0) {
            extents[along] = 1;
        }
        return Region.of(indices.origin(), Shape.of(extents));
    }

    /** {@return the units along the axis of the rows from an index on} */
    private List<@Nullable Unit> side(long[] first) {
        List<@Nullable Unit> side = new ArrayList<>();
        long[] index = first.clone();
        for (long i = 0; i < (along < 0 ? 1 : indices.extent(along)); i++) {
            side.add(units.get((int) indices.ordinal(index)));
            if (along >= 0) {
                index[along]++;
            }
        }
        return side;
    }

    private List<Row> rows(List<@Nullable Unit> side) {
        List<Row> found = new ArrayList<>();
        int end;
        for (int from = 0; from < side.size(); from = end) {
            Unit first = side.get(from);
            end = from + 1;
            if (first == null) {
                continue;
            }
            Unit second = end < side.size() ? side.get(end) : null;
            long distance = second == null ? 0 : second.place - first.place;
            while (end < side.size() && continues(first, end - from, distance, side.get(end))) {
                end++;
            }
            found.add(row(first, end - from, distance));
        }
        return found;
    }

    /** {@return whether a unit continues a row of {@code count} units} */
    private boolean continues(Unit first, int count, long distance, @Nullable Unit unit) {
        return unit != null
                && distance > 0
                && unit.place == first.place + count * distance
                && unit.region.shape().equals(first.region.shape())
                && ring.isWhole(first.place, count * distance + unit.bytes);
    }

    private Row row(Unit first, int count, long distance) {
        int bytes = first.bytes;
        ByteBuffer buffer = count == 1 ? first.buffer() : ring.buffer(first.place, (count - 1) * distance + bytes);
        long[] strides = Arrays.copyOf(first.strides(), first.strides().length + 1);
        strides[strides.length - 1] = distance;
        return new Row(first.region, count, buffer, strides);
    }

    /** {@return the indices of the units} */
    Region indices() {
        return indices;
    }

    /** {@return the axis of the rows; -1 if there is no axis} */
    int along() {
        return along;
    }

    /** {@return the rows on a line along their axis, in order} The index on that axis is ignored. */
    List<Row> rows(long[] index) {
        int ordinal = 0;
        for (int axis = 0; axis < index.length; axis++) {
            if (axis != along) {
                ordinal = (int) (ordinal * indices.extent(axis) + index[axis] - indices.start(axis));
            }
        }
        return rows.get(ordinal);
    }

    /** {@return the unit if there is only one; else null} */
    @Nullable
    Unit only() {
        return units.size() == 1 ? units.get(0) : null;
    }

    /** {@return whether any unit waits for elements} */
    boolean areWaiting() {
        for (List<Row> side : rows) {
            if (!side.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Counts the elements that a read has brought.
     *
     * @param data whether they are from chunks that were written
     * @return whether it was the last of the reads
     */
    boolean countElements(long elements, boolean data) {
        if (data) {
            hasData = true;
        }
        return missing.addAndGet(-elements) == 0;
    }

    /** Counts, in each unit, the elements of all reads together; {@return the units that are complete now} */
    List<Unit> countInUnits() {
        List<Unit> complete = new ArrayList<>();
        for (Unit unit : units) {
            if (unit != null
                    && unit.countElements(
                            reads.intersect(unit.region).orElseThrow().elements(), hasData)) {
                complete.add(unit);
            }
        }
        return complete;
    }
}
