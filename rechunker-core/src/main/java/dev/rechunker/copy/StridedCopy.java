package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies a box of elements from one strided layout to another.
 *
 * <p>All strides and offsets are in bytes and count from byte 0 of the buffers, whatever their positions, which stay as
 * they are; byte order of the buffers does not matter. Several threads may copy into different parts of one buffer.
 */
public final class StridedCopy {
    private StridedCopy() {}

    /** {@return the strides in bytes of a dense box in C order} */
    public static long[] denseStrides(long[] extents, int itemSize) {
        long[] strides = new long[extents.length];
        long stride = itemSize;
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= extents[axis];
        }
        return strides;
    }

    /**
     * Copies the box.
     *
     * @param extents elements along each axis
     * @param itemSize bytes per element
     * @param swapWord the size of words whose bytes are reversed on the way; 1 to reverse nothing
     */
    public static void copy(
            ByteBuffer source,
            long sourceOffset,
            long[] sourceStrides,
            ByteBuffer target,
            long targetOffset,
            long[] targetStrides,
            long[] extents,
            int itemSize,
            int swapWord) {
        int rank = extents.length;
        for (long extent : extents) {
            if (extent == 0) {
                return;
            }
        }
        // Axes of extent 1 vanish, and an axis melts into the next where both layouts are dense across them.
        long[] n = new long[rank];
        long[] s = new long[rank];
        long[] t = new long[rank];
        int axes = 0;
        for (int axis = 0; axis < rank; axis++) {
            if (extents[axis] == 1) {
                continue;
            }
            if (axes > 0
                    && s[axes - 1] == sourceStrides[axis] * extents[axis]
                    && t[axes - 1] == targetStrides[axis] * extents[axis]) {
                n[axes - 1] *= extents[axis];
                s[axes - 1] = sourceStrides[axis];
                t[axes - 1] = targetStrides[axis];
            } else {
                n[axes] = extents[axis];
                s[axes] = sourceStrides[axis];
                t[axes] = targetStrides[axis];
                axes++;
            }
        }
        boolean dense = axes > 0 && s[axes - 1] == itemSize && t[axes - 1] == itemSize;
        int inner = dense || axes == 0 ? axes - 1 : axes;
        int run = Math.toIntExact((dense ? n[axes - 1] : 1) * itemSize);
        if (axes == 0) {
            inner = 0;
        }
        long[] counter = new long[inner];
        long from = sourceOffset;
        long to = targetOffset;
        // The innermost remaining axis is a loop of its own; the others count like an odometer.
        int loop = inner - 1;
        long loopCount = loop >= 0 ? n[loop] : 1;
        long loopSource = loop >= 0 ? s[loop] : 0;
        long loopTarget = loop >= 0 ? t[loop] : 0;
        while (true) {
            runs(source, from, loopSource, target, to, loopTarget, loopCount, run, swapWord);
            int axis = loop - 1;
            while (axis >= 0 && ++counter[axis] == n[axis]) {
                counter[axis] = 0;
                from -= (n[axis] - 1) * s[axis];
                to -= (n[axis] - 1) * t[axis];
                axis--;
            }
            if (axis < 0) {
                return;
            }
            from += s[axis];
            to += t[axis];
        }
    }

    /** Copies {@code count} runs of {@code run} bytes. */
    private static void runs(
            ByteBuffer source,
            long from,
            long fromStride,
            ByteBuffer target,
            long to,
            long toStride,
            long count,
            int run,
            int swapWord) {
        int s = Math.toIntExact(from);
        int t = Math.toIntExact(to);
        int ds = Math.toIntExact(fromStride);
        int dt = Math.toIntExact(toStride);
        if (swapWord > 1) {
            for (long i = 0; i < count; i++, s += ds, t += dt) {
                swapped(source, s, target, t, run, swapWord);
            }
            return;
        }
        switch (run) {
            case 1 -> {
                for (long i = 0; i < count; i++, s += ds, t += dt) {
                    target.put(t, source.get(s));
                }
            }
            case 2 -> {
                ByteBuffer in = source.duplicate().order(ByteOrder.nativeOrder());
                ByteBuffer out = target.duplicate().order(ByteOrder.nativeOrder());
                for (long i = 0; i < count; i++, s += ds, t += dt) {
                    out.putShort(t, in.getShort(s));
                }
            }
            case 4 -> {
                ByteBuffer in = source.duplicate().order(ByteOrder.nativeOrder());
                ByteBuffer out = target.duplicate().order(ByteOrder.nativeOrder());
                for (long i = 0; i < count; i++, s += ds, t += dt) {
                    out.putInt(t, in.getInt(s));
                }
            }
            case 8 -> {
                ByteBuffer in = source.duplicate().order(ByteOrder.nativeOrder());
                ByteBuffer out = target.duplicate().order(ByteOrder.nativeOrder());
                for (long i = 0; i < count; i++, s += ds, t += dt) {
                    out.putLong(t, in.getLong(s));
                }
            }
            default -> {
                for (long i = 0; i < count; i++, s += ds, t += dt) {
                    target.put(t, source, s, run);
                }
            }
        }
    }

    private static void swapped(ByteBuffer source, int from, ByteBuffer target, int to, int run, int word) {
        for (int i = 0; i < run; i += word) {
            for (int j = 0; j < word; j++) {
                target.put(to + i + word - 1 - j, source.get(from + i + j));
            }
        }
    }
}
