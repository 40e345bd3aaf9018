package dev.rechunker.exec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An unfinished write unit: its buffer, dense in C order, and the number of missing elements. */
final class Unit {
    final ReadPlan.Window window;
    final Region region;
    /** The step that the unit is part of. */
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

    /** {@return the offset of the first element of a part in the buffer, in bytes} */
    long offset(Region part) {
        return part.offsetIn(region, strides);
    }

    long[] strides() {
        return strides;
    }

    /**
     * Counts elements that have been copied into the buffer.
     *
     * @param data whether they are from chunks that were written
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

    /** {@return whether elements of chunks that were written have arrived} */
    boolean hasData() {
        return hasData.get();
    }
}
