package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.util.Objects;

/** Copies of equally spaced runs of bytes. */
final class Runs {
    /** The length in bytes from which a bulk copy is faster than copying word by word; measured. */
    private static final int BULK = 25;
    /** The number of runs that are copied together word by word; with more, they would leave the cache. */
    private static final int COLUMN = 16;
    /** The number of single bytes that are gathered before they are written. */
    private static final int BLOCK = 512;
    /** A mask for every second byte of a {@code long}. */
    private static final long EVEN = 0x00FF_00FF_00FF_00FFL;

    private Runs() {}

    /**
     * Copies {@code count} runs of {@code run} bytes.
     *
     * @param word the size in bytes of the words to reverse, which divides {@code run}; 1 to reverse none
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
                swapped(source, s + i * ds, target, t + i * dt, run, word);
            }
        } else if (run == 1 || run == 2 || run == 4 || run == 8) {
            elements(source, s, ds, target, t, dt, n, run, word > 1);
        } else if (run < BULK) {
            words(source, s, ds, target, t, dt, n, run);
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
        byte[] gathered = new byte[Math.min(n, BLOCK)];
        byte[] span = new byte[ds > 1 && ds <= 8 ? gathered.length * ds : 0];
        for (int done = 0; done < n; done += gathered.length) {
            int count = Math.min(gathered.length, n - done);
            int from = s + done * ds;
            if (source.hasArray()) {
                Objects.checkIndex(Math.min(from, from + (count - 1) * ds), source.limit());
                Objects.checkIndex(Math.max(from, from + (count - 1) * ds), source.limit());
                byte[] array = source.array();
                int at = source.arrayOffset() + from;
                for (int i = 0; i < count; i++, at += ds) {
                    gathered[i] = array[at];
                }
            } else if (ds > 1 && ds <= 8) {
                source.get(from, span, 0, (count - 1) * ds + 1);
                for (int i = 0, at = 0; i < count; i++, at += ds) {
                    gathered[i] = span[at];
                }
            } else {
                for (int i = 0; i < count; i++, from += ds) {
                    gathered[i] = source.get(from);
                }
            }
            scatter(gathered, count, target, t + done * dt, dt);
        }
    }

    private static void scatter(byte[] bytes, int count, ByteBuffer target, int to, int dt) {
        if (dt == 1) {
            target.put(to, bytes, 0, count);
        } else if (target.hasArray()) {
            Objects.checkIndex(Math.min(to, to + (count - 1) * dt), target.limit());
            Objects.checkIndex(Math.max(to, to + (count - 1) * dt), target.limit());
            byte[] array = target.array();
            int at = target.arrayOffset() + to;
            for (int i = 0; i < count; i++, at += dt) {
                array[at] = bytes[i];
            }
        } else {
            for (int i = 0, at = to; i < count; i++, at += dt) {
                target.put(at, bytes[i]);
            }
        }
    }

    private static void shorts(
            ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, boolean swap) {
        for (int i = 0; i < n; i++) {
            short v = (short) WordHandles.SHORT.get(source, s + i * ds);
            WordHandles.SHORT.set(target, t + i * dt, swap ? Short.reverseBytes(v) : v);
        }
    }

    private static void ints(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, boolean swap) {
        for (int i = 0; i < n; i++) {
            int v = (int) WordHandles.INT.get(source, s + i * ds);
            WordHandles.INT.set(target, t + i * dt, swap ? Integer.reverseBytes(v) : v);
        }
    }

    private static void longs(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, boolean swap) {
        for (int i = 0; i < n; i++) {
            long v = (long) WordHandles.LONG.get(source, s + i * ds);
            WordHandles.LONG.set(target, t + i * dt, swap ? Long.reverseBytes(v) : v);
        }
    }

    /**
     * Copies short runs in the largest words that fit; the last word of a run may overlap the one before it.
     *
     * <p>The first words of several runs are copied before their second words, since a loop over one word per run is
     * faster than one over several.
     */
    private static void words(ByteBuffer source, int s, int ds, ByteBuffer target, int t, int dt, int n, int run) {
        int width = Math.min(8, Integer.highestOneBit(run));
        int last = run - width;
        for (int done = 0; done < n; done += COLUMN) {
            int count = Math.min(COLUMN, n - done);
            int from = s + done * ds;
            int to = t + done * dt;
            for (int at = 0; at < last; at += width) {
                elements(source, from + at, ds, target, to + at, dt, count, width, false);
            }
            elements(source, from + last, ds, target, to + last, dt, count, width, false);
        }
    }

    /** Copies contiguous words and reverses each; eight bytes at a time where possible. */
    private static void swapped(ByteBuffer source, int from, ByteBuffer target, int to, int run, int word) {
        int longs = run & -8;
        switch (word) {
            case 2 -> {
                for (int i = 0; i < longs; i += 8) {
                    long v = (long) WordHandles.LONG.get(source, from + i);
                    WordHandles.LONG.set(target, to + i, (v & EVEN) << 8 | (v >>> 8 & EVEN));
                }
            }
            case 4 -> {
                for (int i = 0; i < longs; i += 8) {
                    long v = (long) WordHandles.LONG.get(source, from + i);
                    WordHandles.LONG.set(target, to + i, Long.rotateRight(Long.reverseBytes(v), 32));
                }
            }
            default -> {
                for (int i = 0; i < longs; i += 8) {
                    WordHandles.LONG.set(
                            target, to + i, Long.reverseBytes((long) WordHandles.LONG.get(source, from + i)));
                }
            }
        }
        int rest = run - longs;
        if (rest > 0) {
            elements(source, from + longs, word, target, to + longs, word, rest / word, word, true);
        }
    }
}
