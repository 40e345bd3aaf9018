package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.util.Objects;

/** Copies a row of equally spaced runs of bytes. */
final class Runs {
    /** From here on bulk copies are faster than words, by measurement. */
    private static final int BULK = 25;
    /** Runs that are copied word by word, in columns, before the next are; with more, columns leave the cache. */
    private static final int COLUMN = 16;
    /** Bytes that are gathered before they are put down. */
    private static final int BLOCK = 512;
    /** Every second byte of a long. */
    private static final long EVEN = 0x00FF_00FF_00FF_00FFL;

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

    /**
     * Copies short runs by the largest words that fit, the last of which may overlap the one before it: the first words
     * of some runs, then their second ones, since a loop over single words is faster than one that has several.
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

    /** Copies words that lie together, reversing each; by longs, in which all words are reversed at once. */
    private static void swapped(ByteBuffer source, int from, ByteBuffer target, int to, int run, int word) {
        int longs = run & -8;
        switch (word) {
            case 2 -> {
                for (int i = 0; i < longs; i += 8) {
                    long v = (long) Words.LONG.get(source, from + i);
                    Words.LONG.set(target, to + i, (v & EVEN) << 8 | (v >>> 8 & EVEN));
                }
            }
            case 4 -> {
                for (int i = 0; i < longs; i += 8) {
                    long v = (long) Words.LONG.get(source, from + i);
                    Words.LONG.set(target, to + i, Long.rotateRight(Long.reverseBytes(v), 32));
                }
            }
            default -> {
                for (int i = 0; i < longs; i += 8) {
                    Words.LONG.set(target, to + i, Long.reverseBytes((long) Words.LONG.get(source, from + i)));
                }
            }
        }
        int rest = run - longs;
        if (rest > 0) {
            elements(source, from + longs, word, target, to + longs, word, rest / word, word, true);
        }
    }
}
