package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory of a sweep: how far apart, at most, the first write unit that still waits for source chunks and the last
 * one that has received some lie, when both chunks and units go through a region in row-major order.
 *
 * <p>Units are laid out side by side in that order. On the slowest axis, while the chunks {@code [a, b)} are being
 * read, every unit row that ends by {@code a} is complete and none that starts from {@code b} on has begun. With
 * {@code first} and {@code last} the unit rows that hold {@code a} and {@code b - 1}, {@code h} their heights and
 * {@code R} the size of a row per element of height, the distance is
 *
 * <ul>
 *   <li>{@code (start(last) - start(first)) R + h I} if {@code first} and {@code last} differ, or if the one unit row
 *       is exactly the chunk row: within the row, the same holds on the next axis, which gives {@code I};
 *   <li>{@code h R} if one unit row holds the chunk row and more.
 * </ul>
 *
 * <p>So an axis is summed up by the few different pairs of factors that occur on it.
 */
final class Frontier {
    /**
     * Where the pattern takes more chunk rows than these to repeat, a coarser bound is used; inside units it takes one.
     */
    private static final long MOST_ROWS = 1 << 16;

    private final List<Axis> axes = new ArrayList<>();

    private Frontier() {}

    /** {@return the frontier of chunks of {@code source} that are assembled to {@code units}} */
    static Frontier of(ChunkGrid source, ChunkGrid units) {
        Frontier frontier = new Frontier();
        for (int axis = 0; axis < source.rank(); axis++) {
            frontier.axes.add(Axis.of(source.axis(axis), units.axis(axis)));
        }
        return frontier;
    }

    /**
     * {@return the distance in elements of buffers, an upper bound}
     *
     * @param order the axes in the order of traversal, the slowest first
     * @param bufferExtents the extents of the region in buffers, in that order
     */
    long distance(List<Integer> order, long[] bufferExtents) {
        long inner = 1;
        long row = 1;
        for (int i = order.size() - 1; i >= 0; i--) {
            long whole = Math.multiplyExact(bufferExtents[i], row);
            long most = 0;
            for (Map.Entry<Long, Long> held : axes.get(order.get(i)).held.entrySet()) {
                long rows = held.getKey();
                most = Math.max(most, rows >= bufferExtents[i] ? whole : rows * row + held.getValue() * inner);
            }
            inner = Math.min(most, whole);
            row = whole;
        }
        return inner;
    }

    /**
     * {@return the elements of the units that one read may begin, an upper bound: with so much more room than the
     * distance, the next read does not wait for units to be written}
     */
    long leap(List<Integer> order, long[] bufferExtents) {
        long elements = 1;
        for (int i = 0; i < bufferExtents.length; i++) {
            elements = Math.multiplyExact(elements, Math.min(axes.get(order.get(i)).touched, bufferExtents[i]));
        }
        return elements;
    }

    /** {@return the least extent on an axis that a sweep along it has to hold, in elements} */
    long leastRows(int axis) {
        return axes.get(axis).held.keySet().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
    }

    /** What chunk rows of one axis make be held. */
    private static final class Axis {
        /**
         * By whole unit rows held, in elements of the axis: the most elements of it for which only the distance on the
         * next axis is held besides.
         */
        private final Map<Long, Long> held = new TreeMap<>();

        /** The most elements of unit rows that one chunk touches. */
        private long touched = 1;

        static Axis of(Partition chunks, Partition units) {
            Axis axis = new Axis();
            if (chunks.count() == 0) {
                return axis;
            }
            boolean inside = units.count() == 1
                    || (chunks.isRegular() && units.isRegular() && units.step() % chunks.step() == 0);
            long cycle = inside ? chunks.step() : chunks.coupledSize(units);
            if (cycle / chunks.step() > MOST_ROWS) {
                // A chunk row crosses at most ceil(step / unit) borders of unit rows.
                axis.touched = (chunks.step() / units.step() + 2) * units.step();
                axis.held.put(axis.touched, 0L);
                return axis;
            }
            for (long chunk = 0; chunk < chunks.count() && chunks.start(chunk) < cycle; chunk++) {
                axis.add(chunks, units, chunk);
            }
            axis.add(chunks, units, chunks.count() - 1);
            return axis;
        }

        private void add(Partition chunks, Partition units, long chunk) {
            long first = units.indexOf(chunks.start(chunk));
            long last = units.indexOf(chunks.end(chunk) - 1);
            long firstHeight = units.size(first);
            long lastHeight = units.size(last);
            long between = units.start(last) - units.start(first);
            boolean rowIsChunk = units.start(first) == chunks.start(chunk) && units.end(last) == chunks.end(chunk);
            if (lastHeight > firstHeight || (first == last && !rowIsChunk)) {
                held.merge(between + lastHeight, 0L, Math::max);
            } else {
                held.merge(between, firstHeight, Math::max);
            }
            touched = Math.max(touched, units.end(last) - units.start(first));
        }
    }
}
