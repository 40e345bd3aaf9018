package dev.rechunker.exec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A write unit under way: its buffer, dense in C order, and the elements that it still waits for. */
final class Unit {
    final ReadPlan.Window window;
    final Region region;
    /** What is recorded as done together with it. */
    final Region step;

    final long ordinal;
    final long place;
    final ByteBuffer buffer;
    private final long[] strides;
    private final AtomicLong missing;
    private final AtomicBoolean hasData = new AtomicBoolean();
    private final AtomicInteger parcelsLeft = new AtomicInteger(1);

    /** Begins a unit. */
    Unit(
            ReadPlan.Window window,
            Region region,
            Region step,
            long ordinal,
            int itemSize,
            long place,
            ByteBuffer buffer) {
        this.window = window;
        this.region = region;
        this.step = step;
        this.ordinal = ordinal;
        this.strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        this.place = place;
        this.buffer = buffer;
        this.missing = new AtomicLong(region.elements());
    }

    /** {@return the bytes before an element, given by its place in the array} */
    long offset(Region part) {
        return offset(part, region, strides);
    }

    /** {@return the bytes before a part of a region that lies in a buffer with these strides} */
    static long offset(Region part, Region region, long[] strides) {
        long offset = 0;
        for (int axis = 0; axis < strides.length; axis++) {
            offset += (part.start(axis) - region.start(axis)) * strides[axis];
        }
        return offset;
    }

    long[] strides() {
        return strides;
    }

    /** {@return whether a part lies in the buffer without a gap} */
    boolean isDense(Region part) {
        boolean whole = true;
        for (int axis = strides.length - 1; axis >= 0; axis--) {
            if (!whole && part.extent(axis) != 1) {
                return false;
            }
            whole &= part.extent(axis) == region.extent(axis);
        }
        return true;
    }

    /** Notes that so many elements have arrived; {@return whether they were the last} */
    boolean arrived(long elements, boolean data) {
        if (data) {
            hasData.set(true);
        }
        return missing.addAndGet(-elements) == 0;
    }

    /** Notes that so many parcels hold it. */
    void isStoredBy(int parcels) {
        parcelsLeft.set(parcels);
    }

    /** Notes that a parcel was written; {@return whether it was the last that holds this unit} */
    boolean wasStored() {
        return parcelsLeft.decrementAndGet() == 0;
    }

    /** {@return whether anything but never-written chunks has arrived} */
    boolean hasData() {
        return hasData.get();
    }
}
