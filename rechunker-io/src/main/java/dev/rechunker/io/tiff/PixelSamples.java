package dev.rechunker.io.tiff;

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
        int rowBytes = (int) layout.rowBytes();
        int rows = stored.remaining() / rowBytes;
        ByteBuffer from = stored.slice();
        ByteBuffer to = target.slice();
        for (int sample = 0; sample < samples; sample++) {
            for (int row = 0; row < rows; row++) {
                int start = row * rowBytes;
                int end = (sample * rows + row) * width * itemSize;
                if (layout.isPacked()) {
                    unpack(from, start, sample, to, end);
                } else {
                    pick(from, start + sample * itemSize, to, end);
                }
            }
        }
    }

    /** Copies the numbers of one sample of a row. */
    private void pick(ByteBuffer from, int start, ByteBuffer to, int end) {
        int width = layout.chunkWidth();
        int step = samples * itemSize;
        switch (itemSize) {
            case 1 -> {
                for (int i = 0; i < width; i++) {
                    to.put(end + i, from.get(start + i * step));
                }
            }
            case 2 -> {
                for (int i = 0; i < width; i++) {
                    to.putShort(end + 2 * i, from.getShort(start + i * step));
                }
            }
            case 4 -> {
                for (int i = 0; i < width; i++) {
                    to.putInt(end + 4 * i, from.getInt(start + i * step));
                }
            }
            default -> {
                for (int i = 0; i < width; i++) {
                    for (int word = 0; word < itemSize; word += 8) {
                        to.putLong(end + itemSize * i + word, from.getLong(start + i * step + word));
                    }
                }
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
