package dev.rechunker.io.tiff;

import dev.rechunker.copy.StridedCopy;
import java.nio.ByteBuffer;

/** Turns rows of pixels, whose samples are next to each other or share bytes, into one plane for each sample. */
final class PixelSamples {
    private final PageLayout layout;
    private final int samples;
    private final int itemSize;

    PixelSamples(PageLayout layout, int itemSize) {
        this.layout = layout;
        this.samples = layout.samplesInChunk();
        this.itemSize = itemSize;
    }

    /** Writes the planes of all rows in a buffer, dense and in C order. */
    void spread(ByteBuffer stored, ByteBuffer target) {
        int width = layout.chunkWidth();
        long rowBytes = layout.rowBytes();
        int rows = (int) (stored.remaining() / rowBytes);
        ByteBuffer from = stored.slice();
        ByteBuffer to = target.slice();
        if (!layout.isPacked()) {
            long[] extents = {samples, rows, width};
            long[] strides = {itemSize, rowBytes, (long) samples * itemSize};
            StridedCopy.copy(
                    from, 0, strides, to, 0, StridedCopy.denseStrides(extents, itemSize), extents, itemSize, 1);
            return;
        }
        for (int sample = 0; sample < samples; sample++) {
            for (int row = 0; row < rows; row++) {
                unpack(from, (int) (row * rowBytes), sample, to, (sample * rows + row) * width * itemSize);
            }
        }
    }

    /** Unpacks the numbers of one sample of a row, of which the highest bit comes first. */
    private void unpack(ByteBuffer from, int start, int sample, ByteBuffer to, int end) {
        int bits = layout.bits();
        int mask = (1 << bits) - 1;
        to.order(layout.byteOrder());
        for (int i = 0; i < layout.chunkWidth(); i++) {
            long bit = ((long) i * samples + sample) * bits;
            int first = start + (int) (bit >> 3);
            int last = start + (int) ((bit + bits - 1) >> 3);
            int word = 0;
            for (int at = first; at <= last; at++) {
                word = word << 8 | (from.get(at) & 0xFF);
            }
            int value = word >> (8 * (last - first + 1) - (int) (bit & 7) - bits) & mask;
            if (itemSize == 1) {
                to.put(end + i, (byte) value);
            } else {
                to.putShort(end + 2 * i, (short) value);
            }
        }
    }
}
