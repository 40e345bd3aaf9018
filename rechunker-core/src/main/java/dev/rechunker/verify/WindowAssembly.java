package dev.rechunker.verify;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A sink that copies the parts of the first array into the window. */
final class WindowAssembly implements WindowReads.Sink {
    private final Region region;
    private final ByteBuffer window;
    private final long[] windowStrides;
    private final int itemSize;
    private final int swapWord;
    private final byte[] fill;

    WindowAssembly(ArraySpec spec, ArraySpec other, Region region, ByteBuffer window) {
        this.region = region;
        this.window = window;
        this.itemSize = spec.dataType().itemSize();
        this.windowStrides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        this.swapWord =
                spec.byteOrder() == other.byteOrder() ? 1 : spec.dataType().wordSize();
        this.fill = spec.fillValue().swapped(swapWord).element(itemSize);
    }

    @Override
    public void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides) {
        long place = part.offsetIn(region, windowStrides);
        long[] extents = part.shape().toArray();
        if (data == null) {
            StridedCopy.fill(window, place, windowStrides, extents, fill);
        } else {
            StridedCopy.copy(data, offset, strides, window, place, windowStrides, extents, itemSize, swapWord);
        }
    }
}
