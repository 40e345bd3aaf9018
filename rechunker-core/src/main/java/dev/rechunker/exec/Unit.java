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

    /** {@return the bytes before a part's first element in the buffer} */
    long offset(Region part) {
        return part.offsetIn(region, strides);
    }

    long[] strides() {
        return strides;
    }

    /**
     * Counts elements that have been copied into the buffer.
     *
     * @param data whether they are anything but those of chunks that were never written
     * @return whether no more are missing
     */
    boolean countElements(long elements, boolean data) {
        if (data) {
            hasData.set(true);
        }
        return missing.addAndGet(-elements) == 0;
    }

    /** Sets the number of parcels that have to be written until this unit is stored; 1 by default. */
    void setParcels(int parcels) {
        parcelsLeft.set(parcels);
    }

    /** Counts a parcel as written; {@return whether it was the last that holds a part of this unit} */
    boolean countDownParcels() {
        return parcelsLeft.decrementAndGet() == 0;
    }

    /** {@return whether anything but never-written chunks has arrived} */
    boolean hasData() {
        return hasData.get();
    }
}
