package dev.rechunker.verify;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.run.Difference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A sink that compares the parts of the second array with the window, run by run. */
final class WindowCheck implements WindowReads.Sink {
    private final ArraySpec spec;
    private final int itemSize;
    private final Region region;
    private final ByteBuffer window;
    private final long[] windowStrides;
    private final AtomicReference<@Nullable Difference> first;
    private final byte[] fill;

    WindowCheck(ArraySpec spec, Region region, ByteBuffer window, AtomicReference<@Nullable Difference> first) {
        this.spec = spec;
        this.region = region;
        this.window = window;
        this.first = first;
        this.itemSize = spec.dataType().itemSize();
        this.windowStrides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        this.fill = spec.fillValue().element(itemSize);
    }

    @Override
    public void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides) {
        long place = part.offsetIn(region, windowStrides);
        int outer = part.rank();
        int run = itemSize;
        while (outer > 0 && windowStrides[outer - 1] == run && (data == null || strides[outer - 1] == run)) {
            outer--;
            run = Math.toIntExact(run * part.extent(outer));
        }
        Odometer rows =
                new Odometer(Region.whole(Shape.of(Arrays.copyOf(part.shape().toArray(), outer))));
        while (rows.next()) {
            long inWindow = place;
            long inData = offset;
            for (int axis = 0; axis < outer; axis++) {
                inWindow += rows.at(axis) * windowStrides[axis];
                inData += rows.at(axis) * strides[axis];
            }
            int different = mismatch((int) inWindow, data, (int) inData, run);
            if (different >= 0) {
                recordDifference(part, rows, outer, different / itemSize, (int) inWindow, data, (int) inData);
                return;
            }
        }
    }

    /** {@return the index of the first byte of a run that differs, or -1 if none does} */
    private int mismatch(int inWindow, @Nullable ByteBuffer data, int inData, int run) {
        if (data != null) {
            return window.slice(inWindow, run).mismatch(data.slice(inData, run));
        }
        if (StridedCopy.isFilled(window, inWindow, run, fill)) {
            return -1;
        }
        int at = 0;
        while (window.get(inWindow + at) == fill[at % itemSize]) {
            at++;
        }
        return at;
    }

    private void recordDifference(
            Region part, Odometer rows, int outer, int element, int inWindow, @Nullable ByteBuffer data, int inData) {
        Long[] index = new Long[part.rank()];
        long rest = element;
        for (int axis = index.length - 1; axis >= 0; axis--) {
            long at = axis < outer ? rows.at(axis) : rest % part.extent(axis);
            rest /= axis < outer ? 1 : part.extent(axis);
            index[axis] = part.start(axis) + at;
        }
        byte[] one = new byte[itemSize];
        byte[] other = fill.clone();
        window.get(inWindow + element * itemSize, one);
        if (data != null) {
            data.get(inData + element * itemSize, other);
        }
        Difference found = new Difference(List.of(index), text(one), text(other));
        first.accumulateAndGet(found, Differences::first);
    }

    private String text(byte[] element) {
        return ElementText.text(spec.dataType(), spec.byteOrder(), element);
    }
}
