package dev.rechunker.copy;

import java.nio.ByteBuffer;

/** Copies a row of equally spaced runs of bytes. */
final class Runs {
    /** From here on a bulk copy is faster than a loop over longs. */
    private static final int BULK = 128;

    private Runs() {}

    /**
     * Copies {@code count} runs of {@code run} bytes.
     *
     * @param word the size of words to reverse, 1 for none; divides {@code run}
     */
    static void copy(
            ByteBuffer source,
            long from,
            long fromStride,
            ByteBuffer target,
            long to,
            long toStride,
            long count,
            int run,
            int word) {
        int s = Math.toIntExact(from);
        int t = Math.toIntExact(to);
        int ds = count == 1 ? 0 : Math.toIntExact(fromStride);
        int dt = count == 1 ? 0 : Math.toIntExact(toStride);
        int n = Math.toIntExact(count);
        if (word > 1 && run > word) {
            for (int i = 0; i < n; i++) {
                elements(source, s + i * ds, word, target, t + i * dt, word, run / word, word, true);
            }
        } else if (run == 1 || run == 2 || run == 4 || run == 8) {
            elements(source, s, ds, target, t, dt, n, run, word > 1);
        } else if (run < 8) {
            small(source, s, ds, target, t, dt, n, run);
        } else if (run < BULK) {
            medium(source, s, ds, target, t, dt, n, run);
        } else {
            for (int i = 0; i < n; i++) {
                target.put(t + i * dt, source, s + i * ds, run);
            }
        }
    }

    /** Copies single elements of 1, 2, 4 or 8 bytes. */
    private static void elements(
            ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, int width, boolean swap) {
        switch (width) {
            case 1 -> bytes(source, s, ds, target, t, dt, n);
            case 2 -> shorts(source, s, ds, target, t, dt, n, swap);
            case 4 -> ints(source, s, ds, target, t, dt, n, swap);
            default -> longs(source, s, ds, target, t, dt, n, swap);
        }
    }

    private static void bytes(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n) {
        for (int i = 0; i < n; i++) {
            target.put(t + i * dt, source.get(s + i * ds));
        }
    }

    private static void shorts(
            ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, boolean swap) {
        for (int i = 0; i < n; i++) {
            short v = (short) Words.SHORT.get(source, s + i * ds);
            Words.SHORT.set(target, t + i * dt, swap ? Short.reverseBytes(v) : v);
        }
    }

    private static void ints(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, boolean swap) {
        for (int i = 0; i < n; i++) {
            int v = (int) Words.INT.get(source, s + i * ds);
            Words.INT.set(target, t + i * dt, swap ? Integer.reverseBytes(v) : v);
        }
    }

    private static void longs(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, boolean swap) {
        for (int i = 0; i < n; i++) {
            long v = (long) Words.LONG.get(source, s + i * ds);
            Words.LONG.set(target, t + i * dt, swap ? Long.reverseBytes(v) : v);
        }
    }

    /** Copies runs of 3, 5, 6 or 7 bytes: two overlapping words of 2 or 4 bytes each. */
    private static void small(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, int run) {
        for (int i = 0; i < n; i++) {
            int from = s + i * ds;
            int to = t + i * dt;
            if (run == 3) {
                Words.SHORT.set(target, to, (short) Words.SHORT.get(source, from));
                Words.SHORT.set(target, to + 1, (short) Words.SHORT.get(source, from + 1));
            } else {
                Words.INT.set(target, to, (int) Words.INT.get(source, from));
                Words.INT.set(target, to + run - 4, (int) Words.INT.get(source, from + run - 4));
            }
        }
    }

    /** Copies runs of at least 8 bytes by longs, the last of which may overlap the one before it. */
    private static void medium(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, int run) {
        int last = run - 8;
        for (int i = 0; i < n; i++) {
            int from = s + i * ds;
            int to = t + i * dt;
            for (int j = 0; j < last; j += 8) {
                Words.LONG.set(target, to + j, (long) Words.LONG.get(source, from + j));
            }
            Words.LONG.set(target, to + last, (long) Words.LONG.get(source, from + last));
        }
    }
}
