package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Restores numbers that are stored as differences from the pixel before.
 *
 * <p>Source: TIFF revision 6.0, section 14, and TIFF technical note 3 of Adobe.
 */
public final class Predictor {
    private final boolean isOfFloats;
    private final int bits;
    private final ByteOrder byteOrder;
    private final int rowBytes;
    private final int samples;

    /**
     * Creates a predictor.
     *
     * @param isOfFloats whether the bytes of floats are differences (3 in TIFF), not numbers (2 in TIFF)
     * @param bits the bits of a number: 8, 16, 32 or 64
     * @param rowBytes the bytes of a row; the first pixel of each is no difference
     * @param samples the numbers from one pixel to the next
     */
    public Predictor(boolean isOfFloats, int bits, ByteOrder byteOrder, int rowBytes, int samples) {
        this.isOfFloats = isOfFloats;
        this.bits = bits;
        this.byteOrder = byteOrder;
        this.rowBytes = rowBytes;
        this.samples = samples;
    }

    /** {@return the bytes on the heap that {@link #restore} needs} */
    public static long heapBytes(boolean isOfFloats, long rowBytes) {
        return isOfFloats ? 2 * rowBytes : 0;
    }

    /** Restores the rows of a chunk in place; their number follows from the size of the buffer. */
    public void restore(ByteBuffer chunk) {
        ByteBuffer rows = chunk.slice().order(byteOrder);
        byte[] stored = new byte[isOfFloats ? rowBytes : 0];
        byte[] restored = new byte[stored.length];
        for (int start = 0; start < rows.limit(); start += rowBytes) {
            if (isOfFloats) {
                restoreFloats(rows, start, stored, restored);
            } else {
                add(rows, start);
            }
        }
    }

    private void add(ByteBuffer rows, int start) {
        int end = start + rowBytes;
        switch (bits) {
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
        int size = bits / 8;
        int numbers = rowBytes / size;
        boolean isBig = byteOrder == ByteOrder.BIG_ENDIAN;
        for (int plane = 0; plane < size; plane++) {
            int offset = isBig ? plane : size - 1 - plane;
            for (int i = 0; i < numbers; i++) {
                restored[i * size + offset] = stored[plane * numbers + i];
            }
        }
        rows.put(start, restored);
    }
}
