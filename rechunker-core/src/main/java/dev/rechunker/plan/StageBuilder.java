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
 * Works out one stage that assembles windows: the order of traversal, the room for units under way, and how much is
 * read at once.
 *
 * <p>The ring need not hold a whole window, only the units between the first that still waits and the last that has
 * begun ({@link Frontier}); with more room, the next window begins before the last is finished.
 */
final class StageBuilder {
    /** The part of the ring that keeps a lane busy, if what is read and written at once is small. */
    private static final long BUSY_BYTES = 8L << 20;

    /** More than so much is not given to a lane, if the frontier does not ask for it. */
    private static final long MOST_BUSY_BYTES = 32L << 20;

    /** So many of the largest units keep a lane busy. */
    private static final long BUSY_UNITS = 4;

    /** More than so much is never read at once from a place where any bytes can be read. */
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

    /** {@return this builder, of a stage whose units are held until all of their window is there} */
    StageBuilder holdWholeWindows() {
        wholeWindows = true;
        return this;
    }

    /** {@return the stage, or empty if it does not fit into the bound with so many lanes} */
    Optional<Stage> build(Lane lane, int lanes, long maxMem) {
        long window = windowBytes();
        long room = layout.ringLimit(lane, lanes, maxMem);
        long distance = distanceBytes();
        boolean canWrap = !wholeWindows && distance + layout.wrapBytes() < window;
        long least = canWrap ? distance + layout.wrapBytes() : window;
        if (least > room) {
            return Optional.empty();
        }
        Lane reading = anyBytes ? reading(lane, lanes, maxMem, room - least) : lane;
        room = layout.ringLimit(reading, lanes, maxMem);
        long busy = busyBytes(distance, window, readBytes(reading.readBytes()), lanes);
        boolean wraps = canWrap && (busy + layout.wrapBytes() < window || window > room);
        long wrap = wraps ? layout.wrapBytes() : 0;
        long ring = wraps
                ? Math.min(layout.roundDown(room - wrap), busy)
                : windows.count() == 1 ? window : layout.roundDown(Math.min(room, 2 * window));
        boolean alone = !kind.readsSpill() && !kind.writesSpill();
        long spares = alone ? layout.sparesOf(ring, lanes) : 0;
        if (wraps && room - wrap - spares >= distance) {
            ring = Math.min(ring, room - wrap - spares);
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
     * {@return the lane with room for what is read, of what the ring does not need; or as it is, if that is too little}
     */
    private Lane reading(Lane lane, int lanes, long maxMem, long free) {
        // Reading also happens in the room that encoding takes anyway.
        long read = Math.max(0, lane.writeScratch() - lane.readScratch()) + free / lanes;
        long most = Math.min(MOST_READ_BYTES, Math.min(maxMem / lanes / 4, bytes(source)));
        Lane reading = lane.withReadBytes(Math.min(read, Math.min(most, windowBytes())) / itemSize * itemSize);
        // Where segments meet, a larger buffer takes room twice.
        long ring = layout.ringLimit(lane, lanes, maxMem) - free;
        boolean fits = layout.ringLimit(reading, lanes, maxMem) >= ring;
        boolean enough = reading.readBytes() >= Stage.together(straight(), source, units) * itemSize;
        return fits && enough ? reading : lane;
    }

    /**
     * {@return the ring that keeps all lanes busy: besides the frontier a read or a few units for each, so that reading
     * goes on while what came before is being written; more makes nothing faster, and making memory takes time}
     */
    private long busyBytes(long distance, long window, long readBytes, int lanes) {
        long lane = Math.max(BUSY_BYTES, Math.max(readBytes, BUSY_UNITS * layout.unitBytes()));
        long ahead = Math.min(distance, layout.roundUp(lanes * lane));
        return Math.max(distance + ahead, Math.min(window, layout.roundUp(lanes * Math.min(lane, MOST_BUSY_BYTES))));
    }

    /** {@return what is read at once by a lane with so much room for it} */
    private long readBytes(long room) {
        return anyBytes ? room : bytes(source);
    }

    /**
     * {@return how many lanes of a stage that was built work at the same time: all if the ring has room, besides the
     * frontier, for the units that one read may begin; if it has none, they read and write by turns, and at the end of
     * each turn some wait}
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

    /** {@return how many lanes work at the same time, on average, in a turn of pieces of a size} */
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

    /** {@return the largest part of a chunk that is read at once: the last axes whole, as far as the room goes} */
    private Shape band(long bytes) {
        long[] extents = new long[source.rank()];
        long room = Math.max(1, bytes / itemSize);
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            long whole =
                    Math.min(source.axis(axis).maxSize(), windows.axis(axis).maxSize());
            extents[axis] = Math.min(whole, room);
            room /= extents[axis];
            room = extents[axis] < whole ? 1 : Math.max(1, room);
        }
        return Shape.of(extents);
    }

    /**
     * {@return the largest part of a chunk that, cut at the borders of units, is read straight to its place in each and
     * needs no room of its own: of the last axes whole units, as far as none reaches into another chunk, and some of
     * the next}
     */
    private Shape straight() {
        long[] extents = new long[source.rank()];
        Arrays.fill(extents, 1);
        long room = Math.max(1, MOST_READ_BYTES / itemSize);
        for (int axis = extents.length - 1; axis >= 0 && room > 0; axis--) {
            Partition unit = units.axis(axis);
            Partition chunk = source.axis(axis);
            boolean whole = unit.maxSize() <= room && unit.refines(chunk);
            extents[axis] = whole ? chunk.maxSize() : Math.min(room, Math.min(unit.maxSize(), chunk.maxSize()));
            room = whole ? room / unit.maxSize() : 0;
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

    /** {@return the bytes of the largest chunk of a grid} */
    private long bytes(ChunkGrid grid) {
        return Math.multiplyExact(grid.largestChunk().elements(), (long) itemSize);
    }
}
