package dev.rechunker.exec;

import static java.util.Objects.requireNonNull;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.NestedLayout;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a range of tasks in the order that the plan assumes: window by window; in a window, chunk by chunk in
 * the axis order of the stage; in a chunk, band by band. Reads are computed one after the other. Not thread-safe.
 */
final class ReadPlan {
    /** A window, with one object for each time that it is opened. */
    static final class Window {
        final Region region;
        final NestedLayout layout;
        final long bytes;

        private Window(Region region, NestedLayout layout, long bytes) {
            this.region = region;
            this.layout = layout;
            this.bytes = bytes;
        }
    }

    /**
     * One read.
     *
     * @param window the window with the units that receive the data
     * @param region the region that is read
     * @param part the part of the region that is in the window
     */
    record Read(Window window, Region region, Region part) {}

    private final Stage stage;
    private final ChunkGrid source;
    private final int itemSize;
    private final Region box;
    private final long end;
    private final long[] windowIndex;
    private long next;
    private @Nullable Window window;
    private @Nullable Odometer chunks;
    private @Nullable Region chunkPart;
    private @Nullable ChunkGrid bandGrid;
    private @Nullable Odometer bands;

    /**
     * Creates the reads of the tasks {@code [from, to)}.
     *
     * @param box the box of window indices in which tasks are numbered in row-major order
     */
    ReadPlan(Stage stage, int itemSize, Region box, long from, long to) {
        this(stage, stage.source(), itemSize, box, from, to);
    }

    private ReadPlan(Stage stage, ChunkGrid source, int itemSize, Region box, long from, long to) {
        this.stage = stage;
        this.source = source;
        this.itemSize = itemSize;
        this.box = box;
        this.next = from;
        this.end = to;
        this.windowIndex = new long[box.rank()];
    }

    /** {@return the reads of a stage that reads and writes one unit after the other} */
    static ReadPlan ofUnits(Stage stage, int itemSize, Region box, long from, long to) {
        return new ReadPlan(stage, stage.units(), itemSize, box, from, to);
    }

    /** {@return the next read; null at the end} */
    @Nullable
    Read next() {
        while (true) {
            if (bands != null && bands.next()) {
                return band();
            }
            if (chunks != null && chunks.next()) {
                Read read = chunk();
                if (read != null) {
                    return read;
                }
                continue;
            }
            if (next == end) {
                return null;
            }
            open(next++);
        }
    }

    private void open(long task) {
        long rest = task;
        for (int axis = windowIndex.length - 1; axis >= 0; axis--) {
            windowIndex[axis] = box.start(axis) + rest % box.extent(axis);
            rest /= box.extent(axis);
        }
        Region region = stage.windows().region(windowIndex);
        NestedLayout layout = new NestedLayout(stage.units(), region, stage.axisOrder());
        window = new Window(region, layout, Math.multiplyExact(layout.elements(), (long) itemSize));
        chunks = new Odometer(source.chunksTouching(region), stage.axisOrder());
    }

    /** {@return the read of a whole chunk; null if it has been cut into bands} */
    private @Nullable Read chunk() {
        Window current = requireNonNull(window);
        Region chunk = source.region(requireNonNull(chunks).index());
        Region part = chunk.intersect(current.region).orElseThrow();
        if (stage.band() == null) {
            return new Read(current, chunk, part);
        }
        chunkPart = part;
        bandGrid = bandGrid(part);
        bands = new Odometer(Region.whole(bandGrid.counts()), stage.axisOrder());
        return null;
    }

    /** {@return the bands of a part of a chunk, also cut at the borders of units if no read may cross one} */
    private ChunkGrid bandGrid(Region part) {
        ChunkGrid grid = ChunkGrid.regular(part.shape(), requireNonNull(stage.band()));
        if (!stage.unitsApart()) {
            return grid;
        }
        Region units = stage.units().chunksTouching(part);
        List<Partition> cuts = new ArrayList<>();
        for (int axis = 0; axis < part.rank(); axis++) {
            long[] sizes = new long[Math.toIntExact(units.extent(axis))];
            for (int i = 0; i < sizes.length; i++) {
                Partition partition = stage.units().axis(axis);
                long unit = units.start(axis) + i;
                sizes[i] = Math.min(partition.end(unit), part.end(axis))
                        - Math.max(partition.start(unit), part.start(axis));
            }
            cuts.add(grid.axis(axis).refine(Partition.ofSizes(sizes)));
        }
        return ChunkGrid.of(cuts);
    }

    private Read band() {
        Region part = requireNonNull(chunkPart);
        Region inPart = requireNonNull(bandGrid).region(requireNonNull(bands).index());
        long[] origin = inPart.origin();
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] += part.start(axis);
        }
        Region region = Region.of(origin, inPart.shape());
        return new Read(requireNonNull(window), region, region);
    }

    /** {@return the box of all reads of the window that touch exactly the units with some indices} */
    Region sharing(Read read, Region indices) {
        long[] start = read.part().origin();
        long[] extents = read.part().shape().toArray();
        for (int axis = 0; axis < start.length; axis++) {
            if (indices.extent(axis) == 1) {
                // All reads within the unit touch only this unit. Several units have only one read in common.
                Span unit = unit(axis, indices.start(axis));
                Span first = cut(axis, unit.from, read.window());
                Span last = cut(axis, unit.to - 1, read.window());
                start[axis] = first.from < unit.from ? first.to : unit.from;
                extents[axis] = (last.to > unit.to ? last.from : unit.to) - start[axis];
            }
        }
        return Region.of(start, Shape.of(extents));
    }

    private Span unit(int axis, long index) {
        Partition partition = stage.units().axis(axis);
        return new Span(partition.start(index), partition.end(index));
    }

    /** {@return the range on an axis of the reads of a window that contain a coordinate} */
    private Span cut(int axis, long coordinate, Window in) {
        Partition chunks = source.axis(axis);
        long chunk = chunks.indexOf(coordinate);
        long from = Math.max(chunks.start(chunk), in.region.start(axis));
        long to = Math.min(chunks.end(chunk), in.region.end(axis));
        Shape band = stage.band();
        if (band == null) {
            return new Span(from, to);
        }
        from += (coordinate - from) / band.extent(axis) * band.extent(axis);
        to = Math.min(to, from + band.extent(axis));
        if (!stage.unitsApart()) {
            return new Span(from, to);
        }
        Span unit = unit(axis, stage.units().axis(axis).indexOf(coordinate));
        return new Span(Math.max(from, unit.from), Math.min(to, unit.to));
    }

    /** A range of coordinates. */
    private record Span(long from, long to) {}
}
