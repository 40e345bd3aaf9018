package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes a stage that assembles windows: the order of traversal, the size of the ring of unfinished units, and the
 * size of reads.
 *
 * <p>The ring need not contain a whole window, only the units from the first that still waits for data to the last that
 * has received some ({@link Frontier}). In a larger ring, the next window can begin before the last one is finished.
 */
final class StageBuilder {
    /** The part of the ring that keeps a lane busy if reads and units are small. */
    private static final long BUSY_BYTES = 8L << 20;

    /** The largest part of the ring for a lane, unless the frontier needs more. */
    private static final long MOST_BUSY_BYTES = 32L << 20;

    /** The number of the largest units that keep a lane busy. */
    private static final long BUSY_UNITS = 4;

    /** The largest read where any bytes can be read. */
    static final long MOST_READ_BYTES = 4L << 20;

    private final String name;
    private final Stage.Kind kind;
    private final ChunkGrid windows;
    private final ChunkGrid source;
    private final ChunkGrid units;
    private final int itemSize;
    private final boolean anyBytes;
    private final List<Integer> axisOrder;
    private final UnitLayout layout;
    private final Frontier frontier;
    private boolean wholeWindows;

    StageBuilder(
            String name,
            Stage.Kind kind,
            ChunkGrid windows,
            ChunkGrid source,
            ChunkGrid units,
            int itemSize,
            boolean anyBytes,
            int slowestAxis,
            UnitLayout layout,
            Frontier frontier) {
        this.name = name;
        this.kind = kind;
        this.windows = windows;
        this.source = source;
        this.units = units;
        this.itemSize = itemSize;
        this.anyBytes = anyBytes;
        List<Integer> order = new ArrayList<>();
        if (slowestAxis < source.rank()) {
            order.add(slowestAxis);
        }
        for (int axis = 0; axis < source.rank(); axis++) {
            if (axis != slowestAxis) {
                order.add(axis);
            }
        }
        this.axisOrder = List.copyOf(order);
        this.layout = layout;
        this.frontier = frontier;
    }

    /** Keeps units in memory until their window is complete. {@return this builder} */
    StageBuilder holdWholeWindows() {
        wholeWindows = true;
        return this;
    }

    /** {@return the stage; empty if it does not fit into the memory limit with a number of lanes} */
    Optional<Stage> build(Lane lane, int lanes, long maxMem) {
        long window = windowBytes();
        long space = layout.ringLimit(lane, lanes, maxMem);
        long distance = distanceBytes();
        boolean canWrap = !wholeWindows && distance + layout.wrapBytes() < window;
        long least = canWrap ? distance + layout.wrapBytes() : window;
        if (least > space) {
            return Optional.empty();
        }
        Lane reading = anyBytes ? reading(lane, lanes, maxMem, space - least) : lane;
        space = layout.ringLimit(reading, lanes, maxMem);
        long busy = busyBytes(distance, window, readBytes(reading.readBytes()), lanes);
        boolean wraps = canWrap && (busy + layout.wrapBytes() < window || window > space);
        long wrap = wraps ? layout.wrapBytes() : 0;
        long ring = wraps
                ? Math.min(layout.roundDown(space - wrap), busy)
                : windows.count() == 1 ? window : layout.roundDown(Math.min(space, 2 * window));
        boolean alone = !kind.readsSpill() && !kind.writesSpill();
        long spares = alone ? layout.sparesOf(ring, lanes) : 0;
        if (wraps && space - wrap - spares >= distance) {
            ring = Math.min(ring, space - wrap - spares);
        }
        Stage.Memory memory = alone
                ? layout.memoryOfItsOwn(reading, lanes, ring, wrap, maxMem)
                : layout.memory(reading, lanes, ring, wrap);
        if (!anyBytes) {
            return Optional.of(stage(memory, null, false));
        }
        boolean apart = reading.readBytes() == 0;
        return Optional.of(stage(memory, apart ? straight() : band(reading.readBytes()), apart));
    }

    /**
     * {@return the lane with memory for reads, from what the ring does not need; the same lane if that is too little}
     */
    private Lane reading(Lane lane, int lanes, long maxMem, long free) {
        // Reads also use the memory that encoding needs anyway.
        long read = Math.max(0, lane.writeScratch() - lane.readScratch()) + free / lanes;
        long most = Math.min(MOST_READ_BYTES, Math.min(maxMem / lanes / 4, bytes(source)));
        Lane reading = lane.withReadBytes(Math.min(read, Math.min(most, windowBytes())) / itemSize * itemSize);
        // A larger buffer also makes the spare buffers at the borders of segments larger.
        long ring = layout.ringLimit(lane, lanes, maxMem) - free;
        boolean fits = layout.ringLimit(reading, lanes, maxMem) >= ring;
        boolean enough = reading.readBytes() >= Stage.together(straight(), source, units) * itemSize;
        return fits && enough ? reading : lane;
    }

    /**
     * {@return the size of a ring that keeps all lanes busy} It has space for the frontier, and for a read or a few
     * units of each lane, so that reading continues while units are written. A larger ring is not faster, and
     * allocating memory takes time.
     */
    private long busyBytes(long distance, long window, long readBytes, int lanes) {
        long lane = Math.max(BUSY_BYTES, Math.max(readBytes, BUSY_UNITS * layout.unitBytes()));
        long ahead = Math.min(distance, layout.roundUp(lanes * lane));
        return Math.max(distance + ahead, Math.min(window, layout.roundUp(lanes * Math.min(lane, MOST_BUSY_BYTES))));
    }

    /** {@return the bytes that a lane with memory for reads reads at once} */
    private long readBytes(long laneReadBytes) {
        return anyBytes ? laneReadBytes : bytes(source);
    }

    /**
     * {@return the number of lanes of a stage that work at the same time, on average} All of them do if the ring has
     * space for the frontier and for the units that one read may begin. Without that space, they read and write by
     * turns, and at the end of each turn some lanes wait.
     */
    double busyLanes(Stage stage) {
        Stage.Memory memory = stage.memory();
        long distance = distanceBytes();
        long leap = Math.multiplyExact(frontier.leap(axisOrder, bufferExtents()), (long) itemSize);
        long all = Math.min(windowBytes(), distance + leap);
        if (memory.ringBytes() >= all) {
            return memory.lanes();
        }
        int lanes = memory.lanes();
        double reading = busyInTurn(distance, readBytes(memory.readBytes()), lanes);
        double writing = busyInTurn(distance, layout.unitBytes(), lanes);
        double byTurns = 2 / (1 / reading + 1 / writing);
        return byTurns + (lanes - byTurns) * ((double) (memory.ringBytes() - distance) / (all - distance));
    }

    /** {@return the number of lanes that work at the same time, on average, in a turn of pieces of a size} */
    private static double busyInTurn(long turnBytes, long pieceBytes, int lanes) {
        double pieces = Math.max(1, Math.ceil((double) turnBytes / Math.max(1, pieceBytes)));
        return pieces / Math.ceil(pieces / lanes);
    }

    private long distanceBytes() {
        return layout.roundUp(Math.multiplyExact(frontier.distance(axisOrder, bufferExtents()), (long) itemSize));
    }

    private Stage stage(Stage.Memory memory, @Nullable Shape band, boolean unitsApart) {
        return new Stage(name, kind, windows, source, units, band, unitsApart, axisOrder, memory);
    }

    /** {@return the largest part of a chunk that is read at once: as many of the last axes as possible} */
    private Shape band(long bytes) {
        long[] extents = new long[source.rank()];
        long left = Math.max(1, bytes / itemSize);
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            long whole =
                    Math.min(source.axis(axis).maxSize(), windows.axis(axis).maxSize());
            extents[axis] = Math.min(whole, left);
            left /= extents[axis];
            left = extents[axis] < whole ? 1 : Math.max(1, left);
        }
        return Shape.of(extents);
    }

    /**
     * {@return the largest part of a chunk that is read at once if reads are cut at the borders of units} These reads
     * go straight to their places in the units and need no other memory. The part has whole units of the last axes, as
     * long as no unit reaches into another chunk, and a part of the next axis.
     */
    private Shape straight() {
        long[] extents = new long[source.rank()];
        Arrays.fill(extents, 1);
        long left = Math.max(1, MOST_READ_BYTES / itemSize);
        for (int axis = extents.length - 1; axis >= 0 && left > 0; axis--) {
            Partition unit = units.axis(axis);
            Partition chunk = source.axis(axis);
            boolean whole = unit.maxSize() <= left && unit.refines(chunk);
            extents[axis] = whole ? chunk.maxSize() : Math.min(left, Math.min(unit.maxSize(), chunk.maxSize()));
            left = whole ? left / unit.maxSize() : 0;
        }
        return Shape.of(extents);
    }

    /** {@return the extents of the largest window, in the order of traversal} */
    private long[] bufferExtents() {
        long[] extents = new long[axisOrder.size()];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = windows.axis(axisOrder.get(i)).maxSize();
        }
        return extents;
    }

    private long windowBytes() {
        return bytes(windows);
    }

    /** {@return the size of the largest chunk of a grid in bytes} */
    private long bytes(ChunkGrid grid) {
        return Math.multiplyExact(grid.largestChunk().elements(), (long) itemSize);
    }
}
