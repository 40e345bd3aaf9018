package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory that a sweep needs: the largest distance between the first write unit that still waits for source chunks
 * and the last one that has received some. Chunks are read, and units are laid out, in row-major order of a region.
 *
 * <p>On the slowest axis, while the chunks {@code [a, b)} are read, each row of units that ends at or before {@code a}
 * is complete, and no row that starts at or after {@code b} has begun. Let {@code first} and {@code last} be the rows
 * of units that contain {@code a} and {@code b - 1}, {@code h} their heights, and {@code R} the size of a row per
 * element of height. Then the distance is
 *
 * <ul>
 *   <li>{@code (start(last) - start(first)) R + h I} if {@code first} and {@code last} differ, or if they are one row
 *       that is exactly the row of chunks; {@code I} is the distance within the row, by the same rule on the next axis;
 *   <li>{@code h R} if one row of units contains the row of chunks and more.
 * </ul>
 *
 * <p>So the few different pairs of factors that occur on an axis describe it.
 */
final class Frontier {
    /**
     * If the pattern repeats only after more rows of chunks than these, a coarser bound is used. It repeats after one
     * row if chunks are inside units.
     */
    private static final long MOST_ROWS = 1 << 16;

    private final List<Axis> axes = new ArrayList<>();

    private Frontier() {}

    /** {@return the frontier for chunks of {@code source} that are assembled to {@code units}} */
    static Frontier of(ChunkGrid source, ChunkGrid units) {
        Frontier frontier = new Frontier();
        for (int axis = 0; axis < source.rank(); axis++) {
            frontier.axes.add(Axis.of(source.axis(axis), units.axis(axis)));
        }
        return frontier;
    }

    /**
     * {@return an upper bound of the distance, in elements of buffers}
     *
     * @param order the axes in the order of traversal, the slowest first
     * @param bufferExtents the extents of the region in buffers, in the order of traversal
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
     * {@return an upper bound of the elements of the units that one read may begin} If there is space for these in
     * addition to the distance, the next read does not have to wait for a unit to be written.
     */
    long leap(List<Integer> order, long[] bufferExtents) {
        long elements = 1;
        for (int i = 0; i < bufferExtents.length; i++) {
            elements = Math.multiplyExact(elements, Math.min(axes.get(order.get(i)).touched, bufferExtents[i]));
        }
        return elements;
    }

    /** {@return the least extent, in elements, that a sweep along an axis keeps in memory} */
    long leastRows(int axis) {
        return axes.get(axis).held.keySet().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
    }

    /** The rows of units that are kept in memory on one axis. */
    private static final class Axis {
        /**
         * The pairs of factors. The key is the extent of the rows of units that are kept as a whole. The value is the
         * largest extent of another row, of which only the distance on the next axis is kept.
         */
        private final Map<Long, Long> held = new TreeMap<>();

        /** The largest extent of the rows of units that one chunk touches. */
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
                // A row of chunks crosses at most ceil(step / unit) borders of rows of units.
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
