package dev.rechunker.exec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished write units, and the places in the ring for new ones.
 *
 * <p>Reads are admitted in order. A read that waits for a place keeps the places that it already has, because no other
 * read can overtake it. Not thread-safe: used under the lock of its {@link Dataflow}.
 */
final class Admission {
    private final Stage stage;
    private final Steps steps;
    private final ReadPlan reads;
    private final int itemSize;
    private final Ring ring;
    private final Map<Long, Unit> units = new HashMap<>();
    /** The receivers for which reads are still to come, by the indices of their units. */
    private final Map<Region, Receivers> shared = new HashMap<>();
    /** By step, the units that are not written yet. */
    private final Countdown unitsLeft = new Countdown();
    /** By window, the steps that are not done yet. */
    private final Countdown stepsLeft = new Countdown();

    private ReadPlan.@Nullable Window window;
    private long windowOffset;
    private long windowEnd;
    /** The units of the waiting read, from the first one without a place. */
    private @Nullable Odometer touched;

    private List<@Nullable Unit> found = new ArrayList<>();

    /** What the unit that was begun last shares with others. */
    private @Nullable Common common;

    Admission(Steps steps, ReadPlan reads, int itemSize, Workspace workspace) {
        this.stage = steps.stage();
        this.steps = steps;
        this.reads = reads;
        this.itemSize = itemSize;
        this.ring = new Ring(workspace, stage.memory().ringBytes());
    }

    /**
     * {@return the units that receive a read; null as long as there is no place for a unit that the read begins}
     *
     * @param read the next read after the last one admitted; the same read until it is admitted
     */
    @Nullable
    Receivers admit(ReadPlan.Read read) {
        Region indices = stage.units().chunksTouching(read.part());
        Odometer index = touched;
        if (index == null) {
            if (!tryOpen(read)) {
                return null;
            }
            Receivers known = shared.get(indices);
            if (known != null) {
                return known;
            }
            index = new Odometer(indices);
            index.next();
            touched = index;
            found = new ArrayList<>();
        }
        do {
            Unit unit = units.get(stage.units().ordinal(index.index()));
            if (unit == null) {
                Region region = stage.units().region(index.index());
                Region step = steps.of(region, read.window().region);
                if (!steps.isDone(step)) {
                    unit = tryBegin(read.window(), index.index(), region, step);
                    if (unit == null) {
                        return null;
                    }
                }
            }
            found.add(unit);
        } while (index.next());
        touched = null;
        Receivers receivers = new Receivers(indices, found, reads.sharing(read, indices), ring);
        if (receivers.areWaiting()) {
            shared.put(indices, receivers);
        }
        return receivers;
    }

    /** Forgets receivers for which all reads are done. */
    void remove(Receivers receivers) {
        shared.remove(receivers.indices());
    }

    /** Opens the window of a read if it is not open yet; {@return whether it is open now} */
    private boolean tryOpen(ReadPlan.Read read) {
        if (read.window() != window) {
            if (stage.kind() == Stage.Kind.PARTS && stepsLeft.size() >= Stage.OPEN_WINDOWS) {
                return false;
            }
            windowOffset = ring.windowStart(windowEnd, read.window().bytes);
            windowEnd = windowOffset + read.window().bytes;
            window = read.window();
            stepsLeft.begin(window.region, steps.stepsLeft(window.region));
        }
        return true;
    }

    /** Begins the unit with this index if its place is free; {@return the unit, or null if it is not} */
    private @Nullable Unit tryBegin(ReadPlan.Window in, long[] index, Region region, Region step) {
        long bytes = region.elements() * itemSize;
        long place = ring.place(windowOffset + in.layout.offset(index) * itemSize, bytes);
        if (!ring.isFree(place, bytes)) {
            return null;
        }
        long ordinal = stage.units().ordinal(index);
        Common all = common(region, step, Math.toIntExact(bytes));
        Region own = Region.of(region.origin(), all.shape);
        Unit unit = new Unit(in, own, all.step, ordinal, all.strides, ring, place, all.bytes);
        ring.take(place, all.bytes);
        units.put(ordinal, unit);
        return unit;
    }

    /** {@return what a unit shares with the one before, or with those after it} */
    private Common common(Region region, Region step, int bytes) {
        Common last = common;
        if (last == null || !region.shape().equals(last.shape)) {
            long[] strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
            last = new Common(region.shape(), strides, bytes, step);
        } else if (!step.equals(last.step)) {
            last = new Common(last.shape, last.strides, last.bytes, step);
        }
        common = last;
        return last;
    }

    /** What many units have in common, so that each takes less memory. */
    private static final class Common {
        private final Shape shape;
        private final long[] strides;
        private final Integer bytes;
        private final Region step;

        Common(Shape shape, long[] strides, Integer bytes, Region step) {
            this.shape = shape;
            this.strides = strides;
            this.bytes = bytes;
            this.step = step;
        }
    }

    /** Forgets a unit that is stored, and frees its place. */
    void remove(Unit unit) {
        ring.release(unit.place);
        units.remove(unit.ordinal);
    }

    /** Counts a unit as stored; {@return whether it was the last of its step} */
    boolean countDownStep(Unit unit) {
        return unitsLeft.countDown(
                unit.step, () -> stage.units().chunksTouching(unit.step).elements());
    }

    /** Counts a step of a window as done; {@return whether it was the last} */
    boolean countDownWindow(ReadPlan.Window of) {
        return stepsLeft.countDown(of.region, () -> steps.stepsLeft(of.region));
    }
}
