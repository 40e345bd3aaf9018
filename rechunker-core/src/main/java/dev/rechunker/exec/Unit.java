package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;

/**
 * An unfinished write unit: its place in the ring, dense in C order, and the number of missing elements.
 *
 * <p>There may be more than a hundred thousand units of a few bytes each, so a unit is small: it shares what is the
 * same in others, and makes its buffer when that is needed.
 */
final class Unit {
    final ReadPlan.Window window;
    final Region region;
    /** The step that the unit is part of. */
    final Region step;

    final long ordinal;
    final long place;
    final int bytes;
    private final Ring ring;
    private final long[] strides;
    private long missing;
    private volatile boolean hasData;
    private int parcelsLeft = 1;

    /**
     * Begins a unit.
     *
     * @param strides the strides of its elements in bytes, which units of the same shape share
     * @param place its place in the ring, which is taken
     */
    Unit(
            ReadPlan.Window window,
            Region region,
            Region step,
            long ordinal,
            long[] strides,
            Ring ring,
            long place,
            int bytes) {
        this.window = window;
        this.region = region;
        this.step = step;
        this.ordinal = ordinal;
        this.strides = strides;
        this.ring = ring;
        this.place = place;
        this.bytes = bytes;
        this.missing = region.elements();
    }

    /** {@return its memory, as a new buffer} */
    ByteBuffer buffer() {
        return ring.buffer(place, bytes);
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
    synchronized boolean countElements(long elements, boolean data) {
        if (data) {
            hasData = true;
        }
        missing -= elements;
        return missing == 0;
    }

    /** Sets the number of parcels that have to be written until this unit is stored; 1 by default. */
    synchronized void setParcels(int parcels) {
        parcelsLeft = parcels;
    }

    /** Counts a parcel as written; {@return whether it was the last that holds a part of this unit} */
    synchronized boolean countDownParcels() {
        parcelsLeft--;
        return parcelsLeft == 0;
    }

    /** {@return whether elements of chunks that were written have arrived} */
    boolean hasData() {
        return hasData;
    }
}
