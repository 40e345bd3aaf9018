package dev.rechunker.io.tiff;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Restores numbers that are stored as differences from the pixel before.
 *
 * <p>Source: TIFF revision 6.0, section 14, and TIFF technical note 3 of Adobe.
 */
final class Predictor {
    private static final int FLOATS = 3;

    private final PageLayout layout;
    private final int rowBytes;
    private final int samples;

    Predictor(PageLayout layout) {
        this.layout = layout;
        this.rowBytes = (int) layout.rowBytes();
        this.samples = layout.samplesInChunk();
    }

    /** {@return the bytes of a row that {@link #restore} needs on the heap} */
    static long heapBytes(PageLayout layout) {
        return layout.predictor() == FLOATS ? 2 * layout.rowBytes() : 0;
    }

    /** Restores the rows of a chunk in place; their number follows from the size of the buffer. */
    void restore(ByteBuffer chunk) {
        ByteBuffer rows = chunk.slice().order(layout.byteOrder());
        byte[] stored = new byte[layout.predictor() == FLOATS ? rowBytes : 0];
        byte[] restored = new byte[stored.length];
        for (int start = 0; start < rows.limit(); start += rowBytes) {
            if (layout.predictor() == FLOATS) {
                restoreFloats(rows, start, stored, restored);
            } else {
                add(rows, start);
            }
        }
    }

    private void add(ByteBuffer rows, int start) {
        int end = start + rowBytes;
        switch (layout.bits()) {
            case 8 -> {
                for (int at = start + samples; at < end; at++) {
                    rows.put(at, (byte) (rows.get(at) + rows.get(at - samples)));
                }
            }
            case 16 -> {
                for (int at = start + 2 * samples; at < end; at += 2) {
                    rows.putShort(at, (short) (rows.getShort(at) + rows.getShort(at - 2 * samples)));
                }
            }
            case 32 -> {
                for (int at = start + 4 * samples; at < end; at += 4) {
                    rows.putInt(at, rows.getInt(at) + rows.getInt(at - 4 * samples));
                }
            }
            default -> {
                for (int at = start + 8 * samples; at < end; at += 8) {
                    rows.putLong(at, rows.getLong(at) + rows.getLong(at - 8 * samples));
                }
            }
        }
    }

    /** The highest bytes of all numbers come first, then the next ones; each byte is a difference. */
    private void restoreFloats(ByteBuffer rows, int start, byte[] stored, byte[] restored) {
        rows.get(start, stored);
        for (int i = samples; i < rowBytes; i++) {
            stored[i] += stored[i - samples];
        }
        int size = layout.bits() / 8;
        int numbers = rowBytes / size;
        boolean isBig = layout.byteOrder() == ByteOrder.BIG_ENDIAN;
        for (int plane = 0; plane < size; plane++) {
            int offset = isBig ? plane : size - 1 - plane;
            for (int i = 0; i < numbers; i++) {
                restored[i * size + offset] = stored[plane * numbers + i];
            }
        }
        rows.put(start, restored);
    }
}
