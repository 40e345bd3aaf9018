package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Stage;
import dev.rechunker.testing.Cases;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads that touch the same units are counted together, and every unit receives its elements. */
class ReceiversTest {
    private static final int ITEM = Integer.BYTES;
    private static final int ABSENT = -1;

    private static Stage stage(Cases cases) {
        ChunkGrid units = cases.grid(nonEmpty(cases));
        Shape shape = units.shape();
        ChunkGrid source = cases.grid(shape);
        @Nullable
        Shape band =
                cases.random().nextBoolean() ? null : cases.regularGrid(shape).chunkShape();
        List<Integer> order = new ArrayList<>(Odometer.naturalOrder(shape.rank()));
        Collections.shuffle(order, cases.random());
        ChunkGrid windows = cases.shards(units);
        Stage.Memory memory = new Stage.Memory(1, 0, 0, 0, 0, 0, Workspace.MAX_BUFFER, 0, 0, 0);
        boolean unitsApart = cases.random().nextBoolean();
        return new Stage(
                "copy", Stage.Kind.DIRECT, windows, source, units, band, band != null && unitsApart, order, memory);
    }

    private static Shape nonEmpty(Cases cases) {
        Shape shape = cases.shape();
        while (shape.isEmpty()) {
            shape = cases.shape();
        }
        return shape;
    }

    private static ReadPlan reads(Stage stage) {
        return new ReadPlan(
                stage,
                ITEM,
                Region.whole(stage.windows().counts()),
                0,
                stage.windows().count());
    }

    @Test
    void boxHasExactlyTheReadsThatTouchTheSameUnits() {
        Set<Boolean> several = new HashSet<>();
        Cases.check(1_000, cases -> {
            Stage stage = stage(cases);
            Map<Region, List<ReadPlan.Read>> together = new HashMap<>();
            ReadPlan reads = reads(stage);
            for (ReadPlan.Read read = reads.next(); read != null; read = reads.next()) {
                Region indices = stage.units().chunksTouching(read.part());
                together.computeIfAbsent(indices, key -> new ArrayList<>()).add(read);
            }
            together.forEach((indices, all) -> {
                Region box = reads.sharing(all.get(0), indices);
                long elements = 0;
                for (ReadPlan.Read read : all) {
                    assertEquals(box, reads.sharing(read, indices));
                    assertTrue(box.contains(read.part()));
                    elements += read.part().elements();
                }
                assertEquals(elements, box.elements());
                several.add(all.size() > 1);
            });
        });
        assertEquals(2, several.size());
    }

    @Test
    void everyUnitReceivesItsElements() {
        long[] rows = new long[2];
        Cases.check(1_500, cases -> new Run(cases, stage(cases), rows).check());
        assertTrue(rows[0] > 10_000, () -> rows[0] + " rows of one unit");
        assertTrue(rows[1] > 10_000, () -> rows[1] + " rows of several");
    }

    /** One stage with reads in a random order, from which some chunks and units are left out. */
    private static final class Run {
        private final Cases cases;
        private final Stage stage;
        private final long[] rows;
        private final ReadPlan reads;
        private final boolean swap;
        private final boolean padded;
        private final Set<Region> absent = new HashSet<>();
        private final Map<Long, Unit> units = new HashMap<>();
        private final Set<Long> done = new HashSet<>();
        private final Map<Region, Receivers> shared = new HashMap<>();

        Run(Cases cases, Stage stage, long[] rows) {
            this.cases = cases;
            this.stage = stage;
            this.rows = rows;
            this.reads = reads(stage);
            this.swap = cases.random().nextBoolean();
            this.padded = stage.band() == null
                    && stage.source().isRegular()
                    && cases.random().nextBoolean();
        }

        void check() {
            ReadPlan.Window window = null;
            Ring ring = null;
            long start = 0;
            for (ReadPlan.Read read = reads.next(); read != null; read = reads.next()) {
                if (read.window() != window || ring == null) {
                    assertTrue(units.isEmpty() && shared.isEmpty(), "the window before is not complete");
                    window = read.window();
                    long size = window.bytes + ITEM * cases.between(0, 20);
                    long largest = stage.units().largestChunk().elements() * ITEM;
                    long segment = cases.between(largest, 2 * (size + largest));
                    ring = new Ring(new Workspace(size + largest, segment, largest), size);
                    start = ITEM * cases.between(0, size / ITEM);
                }
                deliver(read, ring, start);
            }
            assertTrue(units.isEmpty() && shared.isEmpty(), "the last window is not complete");
        }

        private void deliver(ReadPlan.Read read, Ring ring, long start) {
            Region indices = stage.units().chunksTouching(read.part());
            Receivers receivers = shared.get(indices);
            if (receivers == null) {
                receivers =
                        new Receivers(indices, begin(read, indices, ring, start), reads.sharing(read, indices), ring);
                if (!receivers.areWaiting()) {
                    return;
                }
                shared.put(indices, receivers);
                count(receivers);
            }
            Shape extents = padded ? stage.source().chunkShape() : read.region().shape();
            RunScatter scatter =
                    new RunScatter(read, extents, List.of(), stage.units(), receivers, ITEM, swap ? ITEM : 1);
            boolean present = cases.random().nextInt(4) != 0;
            if (present) {
                byte[] chunk = chunk(read.region(), extents);
                for (int at = 0; at < chunk.length; ) {
                    int length = (int) cases.between(1, (chunk.length - at) / ITEM) * ITEM;
                    scatter.accept(ByteBuffer.wrap(chunk).position(at).limit(at + length));
                    at += length;
                }
            } else {
                absent.add(read.part());
                scatter.fill(element(ABSENT, ByteOrder.LITTLE_ENDIAN));
            }
            if (receivers.countElements(read.part().elements(), present)) {
                shared.remove(indices);
                receivers.countInUnits().forEach(this::complete);
            }
        }

        private void count(Receivers receivers) {
            Odometer index = new Odometer(receivers.indices());
            while (index.next()) {
                if (receivers.along() < 0
                        || index.index()[receivers.along()]
                                == receivers.indices().start(receivers.along())) {
                    receivers.rows(index.index()).forEach(row -> rows[row.count > 1 ? 1 : 0]++);
                }
            }
        }

        private List<@Nullable Unit> begin(ReadPlan.Read read, Region indices, Ring ring, long start) {
            List<@Nullable Unit> touched = new ArrayList<>();
            Odometer index = new Odometer(indices);
            while (index.next()) {
                long ordinal = stage.units().ordinal(index.index());
                if (!units.containsKey(ordinal) && !done.contains(ordinal)) {
                    if (cases.random().nextInt(20) == 0) {
                        done.add(ordinal);
                    } else {
                        units.put(ordinal, unit(read, index.index(), ring, start));
                    }
                }
                touched.add(units.get(ordinal));
            }
            return touched;
        }

        private Unit unit(ReadPlan.Read read, long[] index, Ring ring, long start) {
            Region region = stage.units().region(index);
            long bytes = region.elements() * ITEM;
            long place = ring.place(start + read.window().layout.offset(index) * ITEM, bytes);
            assertTrue(ring.isFree(place, bytes));
            long ordinal = stage.units().ordinal(index);
            long[] strides = StridedCopy.denseStrides(region.shape().toArray(), ITEM);
            ring.take(place, (int) bytes);
            return new Unit(read.window(), region, region, ordinal, strides, ring, place, (int) bytes);
        }

        /** {@return a whole chunk, whose elements are their positions in the array} */
        private byte[] chunk(Region region, Shape extents) {
            ByteBuffer chunk = ByteBuffer.allocate((int) extents.elements() * ITEM);
            chunk.order(swap ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            Odometer place = new Odometer(Region.of(region.origin(), extents));
            while (place.next()) {
                chunk.putInt(region.contains(cell(place.index())) ? position(place.index()) : Integer.MIN_VALUE);
            }
            return chunk.array();
        }

        private int position(long[] index) {
            return (int) Region.whole(stage.units().shape()).ordinal(index);
        }

        private void complete(Unit unit) {
            Odometer place = new Odometer(unit.region);
            ByteBuffer elements = unit.buffer().order(ByteOrder.LITTLE_ENDIAN);
            while (place.next()) {
                Region cell = cell(place.index());
                boolean filled = absent.stream().anyMatch(part -> part.contains(cell));
                assertEquals(filled ? ABSENT : position(place.index()), elements.getInt(), () -> cell + " in " + stage);
            }
            units.remove(unit.ordinal);
            done.add(unit.ordinal);
        }

        private static Region cell(long[] index) {
            long[] one = new long[index.length];
            Arrays.fill(one, 1);
            return Region.of(index, Shape.of(one));
        }

        private static byte[] element(int value, ByteOrder order) {
            return ByteBuffer.allocate(ITEM).order(order).putInt(value).array();
        }
    }
}
