package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The loops over a box, outermost first, in as few axes as the two layouts allow.
 *
 * <p>{@link #normalize} drops axes of extent 1, orders the others by the target's stride, the smallest innermost, so
 * that writes go forward, and melts an axis into the next where both layouts are dense across them.
 */
final class LoopNest {
    /** Bytes of the longest runs for which it matters which of them are copied one after the other. */
    private static final int SHORT = 32;
    /** Short runs in a row for which it does not pay to begin a loop of their own, by measurement. */
    private static final int FEW = 8;

    private final long[] extents;
    private final long[] sources;
    private final long[] targets;
    private final long[] counter;
    private int axes;
    private boolean empty;

    LoopNest(int capacity) {
        extents = new long[capacity];
        sources = new long[capacity];
        targets = new long[capacity];
        counter = new long[capacity];
    }

    /** Makes it a nest of no axis. */
    void clear() {
        axes = 0;
        empty = false;
    }

    /** Adds an axis, with its strides in bytes. */
    void add(long extent, long source, long target) {
        empty |= extent == 0;
        if (extent == 1) {
            return;
        }
        int at = axes++;
        while (at > 0 && precedes(source, target, sources[at - 1], targets[at - 1])) {
            set(at, extents[at - 1], sources[at - 1], targets[at - 1]);
            at--;
        }
        set(at, extent, source, target);
    }

    /** {@return whether an axis belongs outside of another one that was added before it} */
    private static boolean precedes(long source, long target, long otherSource, long otherTarget) {
        int order = Long.compare(Math.abs(target), Math.abs(otherTarget));
        return order > 0 || (order == 0 && Math.abs(source) > Math.abs(otherSource));
    }

    private void set(int axis, long extent, long source, long target) {
        extents[axis] = extent;
        sources[axis] = source;
        targets[axis] = target;
    }

    /** Melts axes. {@return false if there is nothing to do, as the box is empty} */
    boolean normalize() {
        int kept = 0;
        for (int axis = 0; axis < axes; axis++) {
            if (kept > 0
                    && sources[kept - 1] == sources[axis] * extents[axis]
                    && targets[kept - 1] == targets[axis] * extents[axis]) {
                set(kept - 1, extents[kept - 1] * extents[axis], sources[axis], targets[axis]);
            } else {
                set(kept++, extents[axis], sources[axis], targets[axis]);
            }
        }
        axes = kept;
        return !empty;
    }

    /** Copies elements of {@code width} bytes, reversing each if {@code swap}. */
    void copy(ByteBuffer source, long sourceOffset, ByteBuffer target, long targetOffset, int width, boolean swap) {
        int run = takeRun(width);
        int word = swap ? width : 1;
        int fast = axes - 1;
        if (fast < 0) {
            Runs.copy(source, sourceOffset, 0, target, targetOffset, 0, 1, run, word);
            return;
        }
        if (run <= SHORT) {
            int sourceFast = fastestOfSource();
            if (sourceFast != fast && sources[sourceFast] == run && targets[fast] == run) {
                // What lies together in the source is taken together, while it is in the cache.
                moveAxis(sourceFast, fast - 1);
                if (Tiles.isWorthwhile(extents[fast - 1], extents[fast], run, word)) {
                    copyTiles(source, sourceOffset, target, targetOffset, run, word);
                    return;
                }
            }
            if (fast > 0 && extents[fast] < FEW && extents[fast] < extents[fast - 1]) {
                moveAxis(fast - 1, fast);
            }
        }
        Odometer place = new Odometer(fast, sourceOffset, targetOffset);
        do {
            Runs.copy(
                    source, place.source, sources[fast], target, place.target, targets[fast], extents[fast], run, word);
        } while (place.next());
    }

    /** Copies planes of the two innermost axes, which cross. */
    private void copyTiles(
            ByteBuffer source, long sourceOffset, ByteBuffer target, long targetOffset, int run, int word) {
        int rows = axes - 2;
        Tiles tiles = new Tiles(source, sources[rows + 1], target, targets[rows], run, word);
        Odometer place = new Odometer(rows, sourceOffset, targetOffset);
        do {
            tiles.copy(place.source, place.target, extents[rows], extents[rows + 1]);
        } while (place.next());
    }

    /** Fills elements with one element's bytes; the source's strides do not matter. */
    void fill(ByteBuffer target, long offset, byte[] element) {
        int run = takeRun(element.length);
        int fast = axes - 1;
        Pattern pattern = new Pattern(element);
        Odometer place = new Odometer(Math.max(0, fast), offset, offset);
        do {
            long at = place.target;
            for (long i = fast < 0 ? 1 : extents[fast]; i > 0; i--) {
                pattern.repeat(target, Math.toIntExact(at), run);
                at += fast < 0 ? 0 : targets[fast];
            }
        } while (place.next());
    }

    /** Takes the innermost axis out if it is dense on both sides. {@return the bytes that lie together} */
    private int takeRun(int width) {
        if (axes > 0 && sources[axes - 1] == width && targets[axes - 1] == width) {
            axes--;
            return Math.toIntExact(extents[axes] * width);
        }
        return width;
    }

    private int fastestOfSource() {
        int fastest = axes - 1;
        for (int axis = axes - 2; axis >= 0; axis--) {
            if (Math.abs(sources[axis]) < Math.abs(sources[fastest])) {
                fastest = axis;
            }
        }
        return fastest;
    }

    /** Moves an axis inwards, the ones between it and its new place outwards. */
    private void moveAxis(int from, int to) {
        long extent = extents[from];
        long source = sources[from];
        long target = targets[from];
        for (int axis = from; axis < to; axis++) {
            set(axis, extents[axis + 1], sources[axis + 1], targets[axis + 1]);
        }
        set(to, extent, source, target);
    }

    /** Counts through the outer axes, keeping both offsets. */
    private final class Odometer {
        private final int outer;
        private long source;
        private long target;

        Odometer(int outer, long source, long target) {
            this.outer = outer;
            Arrays.fill(counter, 0, outer, 0);
            this.source = source;
            this.target = target;
        }

        /** Goes to the next place. {@return false if there is none} */
        boolean next() {
            for (int axis = outer - 1; axis >= 0; axis--) {
                source += sources[axis];
                target += targets[axis];
                if (++counter[axis] < extents[axis]) {
                    return true;
                }
                source -= sources[axis] * extents[axis];
                target -= targets[axis] * extents[axis];
                counter[axis] = 0;
            }
            return false;
        }
    }
}
