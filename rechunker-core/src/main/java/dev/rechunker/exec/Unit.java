package dev.rechunker.exec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A write unit under way: its buffer, dense in C order, and the elements that it still waits for. */
final class Unit {
    final ReadPlan.Window window;
    final Region region;
    final long place;
    final ByteBuffer buffer;
    private final Shape extents;
    private final long[] strides;
    private final AtomicLong missing;
    private final AtomicBoolean hasData = new AtomicBoolean();

    /**
     * Begins a unit.
     *
     * @param extents the extents of the buffer, at least those of the region
     */
    Unit(ReadPlan.Window window, Region region, Shape extents, int itemSize, long place, ByteBuffer buffer) {
        this.window = window;
        this.region = region;
        this.extents = extents;
        this.strides = StridedCopy.denseStrides(extents.toArray(), itemSize);
        this.place = place;
        this.buffer = buffer;
        this.missing = new AtomicLong(region.elements());
    }

    /** {@return the bytes before an element, given by its place in the array} */
    long offset(Region part) {
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
            whole &= part.extent(axis) == extents.extent(axis);
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

    /** {@return whether anything but never-written chunks has arrived} */
    boolean hasData() {
        return hasData.get();
    }

    /** Fills what lies outside the array. */
    void pad(byte[] fill) {
        long[] box = region.shape().toArray();
        for (int axis = 0; axis < box.length; axis++) {
            long inside = box[axis];
            long outside = extents.extent(axis) - inside;
            if (outside > 0) {
                box[axis] = outside;
                StridedCopy.fill(buffer, inside * strides[axis], strides, box, fill);
            }
            // The next axes are padded over the whole of this one.
            box[axis] = extents.extent(axis);
        }
    }
}
