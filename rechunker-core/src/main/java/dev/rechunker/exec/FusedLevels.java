package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.reduce.Reducer;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a pyramid that are made while the first one is written. When a write unit of a level is complete, it is
 * reduced into units of the next level, which wait in memory until all their elements have come.
 *
 * <p>The plan says how many units of a level have to wait at most. Should more have to, the level is given up, and
 * those after it with it: they are made later, of what was written. Thread-safe.
 */
public final class FusedLevels {
    private final List<Level> levels;
    private final boolean keepEmpty;
    private final Monitor monitor;
    private volatile int active;

    /**
     * A level.
     *
     * @param writer the writer of its array
     * @param reducer reduces the level before to it
     * @param places memory for units, each of the size of the largest unit
     */
    public record Target(ArrayWriter writer, Reducer reducer, Workspace places) {}

    /** A unit of which some elements have come. */
    private static final class Waiting {
        private final Region region;
        private final ByteBuffer buffer;
        private final long place;
        private final AtomicLong missing;
        private volatile boolean hasData;

        private Waiting(Region region, ByteBuffer buffer, long place) {
            this.region = region;
            this.buffer = buffer;
            this.place = place;
            this.missing = new AtomicLong(region.elements());
        }
    }

    private static final class Level {
        private final Target target;
        private final ArraySpec spec;
        private final ChunkGrid units;
        private final PaddingWriter writer;
        private final int itemSize;
        private final long placeBytes;
        private final byte[] fill;
        private final Map<Long, Waiting> waiting = new HashMap<>();
        private final Deque<Long> free = new ArrayDeque<>();
        private long unused;

        private Level(Target target) {
            this.target = target;
            this.spec = target.writer.spec();
            this.units = spec.writeUnits();
            this.writer = new PaddingWriter(target.writer, units);
            this.itemSize = spec.dataType().itemSize();
            this.placeBytes = units.largestChunk().elements() * itemSize;
            this.fill = spec.fillValue().element(itemSize);
        }

        /** {@return the unit with an index, which may begin to wait; null if there is no place for it} */
        private synchronized @Nullable Waiting unit(long[] index) {
            long ordinal = units.ordinal(index);
            Waiting known = waiting.get(ordinal);
            if (known != null) {
                return known;
            }
            Long place = free.poll();
            if (place == null) {
                if (unused + placeBytes > target.places.size()) {
                    return null;
                }
                place = unused;
                unused += placeBytes;
            }
            Region region = units.region(index);
            Waiting begun = new Waiting(region, target.places.buffer(place, region.elements() * itemSize), place);
            waiting.put(ordinal, begun);
            return begun;
        }

        private synchronized void remove(Waiting unit) {
            waiting.remove(units.ordinal(units.chunksTouching(unit.region).origin()));
            free.push(unit.place);
        }

        private boolean isEmpty(Waiting unit) {
            return !unit.hasData
                    || (spec.fillValue().isDefined()
                            && StridedCopy.isFilled(unit.buffer, 0, unit.buffer.capacity(), fill));
        }
    }

    /**
     * Creates it.
     *
     * @param targets the levels after the first, each made of the one before
     * @param keepEmpty whether units that contain nothing but the fill value are written, too
     * @param monitor counts the units
     */
    public FusedLevels(List<Target> targets, boolean keepEmpty, Monitor monitor) {
        this.levels = targets.stream().map(Level::new).toList();
        this.keepEmpty = keepEmpty;
        this.monitor = monitor;
        this.active = targets.size();
    }

    /** {@return the number of levels that were not given up, of which all are complete if the first level is} */
    public int made() {
        return active;
    }

    /**
     * Takes a unit of the first level, or a part of one.
     *
     * @param region its region
     * @param elements its elements, dense in C order
     * @param hasData whether any element was ever written
     * @param lane working memory of the calling thread
     * @throws IOException if a unit cannot be written
     */
    void accept(Region region, ByteBuffer elements, boolean hasData, ByteBuffer lane) throws IOException {
        accept(0, region, elements, hasData, lane);
    }

    private void accept(int number, Region region, ByteBuffer elements, boolean hasData, ByteBuffer lane)
            throws IOException {
        if (number >= active) {
            return;
        }
        Level level = levels.get(number);
        Region reduced = level.target.reducer.reduced(region);
        Odometer touched = new Odometer(level.units.chunksTouching(reduced));
        while (touched.next()) {
            Waiting unit = level.unit(touched.index());
            if (unit == null) {
                giveUp(number);
                return;
            }
            Region part = reduced.intersect(unit.region).orElseThrow();
            reduce(level, region, elements, part, unit);
            if (hasData) {
                unit.hasData = true;
            }
            if (unit.missing.addAndGet(-part.elements()) == 0) {
                complete(number, level, unit, lane);
            }
        }
    }

    /** Gives up all levels. */
    void giveUp() {
        giveUp(0);
    }

    private synchronized void giveUp(int number) {
        active = Math.min(active, number);
    }

    private void complete(int number, Level level, Waiting unit, ByteBuffer lane) throws IOException {
        long bytes = unit.buffer.capacity();
        if (keepEmpty || !level.isEmpty(unit)) {
            level.writer.write(unit.region, unit.buffer.duplicate(), lane.duplicate());
            monitor.countWritten(bytes);
        } else {
            monitor.countOmitted(bytes);
        }
        accept(number + 1, unit.region, unit.buffer, unit.hasData, lane);
        level.remove(unit);
    }

    private static void reduce(Level level, Region region, ByteBuffer elements, Region part, Waiting unit) {
        Reducer reducer = level.target.reducer;
        Region box = reducer.box(part, region);
        long[] layout = StridedCopy.denseStrides(region.shape().toArray(), level.itemSize);
        long[] strides = StridedCopy.denseStrides(unit.region.shape().toArray(), level.itemSize);
        reducer.reduce(
                elements,
                box.offsetIn(region, layout),
                layout,
                box.shape(),
                unit.buffer,
                part.offsetIn(unit.region, strides),
                strides);
    }
}
