package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The nested loops over a box, outermost first, merged into as few loops as the two layouts allow.
 *
 * <p>{@link #add} leaves out axes of extent 1 and sorts the others by the target's stride, the smallest innermost, so
 * that writes proceed forwards. {@link #normalize} merges an axis with the next one where both layouts are dense across
 * the two.
 */
final class LoopNest {
    /** The longest run, in bytes, for which the order of the loops matters. */
    private static final int SHORT = 32;
    /** The number of short runs below which an inner loop costs more than it saves; measured. */
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

    /** Removes all axes. */
    void clear() {
        axes = 0;
        empty = false;
    }

    /** Adds an axis, with its strides in the source and the target in bytes. */
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

    /** {@return whether an axis has to be outside of another one that was added before it} */
    private static boolean precedes(long source, long target, long otherSource, long otherTarget) {
        int order = Long.compare(Math.abs(target), Math.abs(otherTarget));
        return order > 0 || (order == 0 && Math.abs(source) > Math.abs(otherSource));
    }

    private void set(int axis, long extent, long source, long target) {
        extents[axis] = extent;
        sources[axis] = source;
        targets[axis] = target;
    }

    /** Merges axes where both layouts are dense. {@return false if the box is empty, so that there is nothing to do} */
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

    /** Copies all elements of {@code width} bytes, and reverses the bytes of each if {@code swap}. */
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
                // Elements that are neighbours in the source are copied one after the other, while they are in the
                // cache.
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
        OuterLoops place = new OuterLoops(fast, sourceOffset, targetOffset);
        do {
            Runs.copy(
                    source, place.source, sources[fast], target, place.target, targets[fast], extents[fast], run, word);
        } while (place.next());
    }

    /** Copies planes of the two innermost axes, whose order differs between source and target. */
    private void copyTiles(
            ByteBuffer source, long sourceOffset, ByteBuffer target, long targetOffset, int run, int word) {
        int rows = axes - 2;
        Tiles tiles = new Tiles(source, sources[rows + 1], target, targets[rows], run, word);
        OuterLoops place = new OuterLoops(rows, sourceOffset, targetOffset);
        do {
            tiles.copy(place.source, place.target, extents[rows], extents[rows + 1]);
        } while (place.next());
    }

    /** Fills all elements of the target with the same bytes; strides of the source are ignored. */
    void fill(ByteBuffer target, long offset, byte[] element) {
        int run = takeRun(element.length);
        int fast = axes - 1;
        Pattern pattern = new Pattern(element);
        OuterLoops place = new OuterLoops(Math.max(0, fast), offset, offset);
        do {
            long at = place.target;
            for (long i = fast < 0 ? 1 : extents[fast]; i > 0; i--) {
                pattern.repeat(target, Math.toIntExact(at), run);
                at += fast < 0 ? 0 : targets[fast];
            }
        } while (place.next());
    }

    /**
     * Removes the innermost axis if it is dense on both sides. {@return the number of contiguous bytes in the inner
     * loop}
     */
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

    /** Moves an axis inwards to position {@code to}, and the axes after it outwards by one. */
    private void moveAxis(int from, int to) {
        long extent = extents[from];
        long source = sources[from];
        long target = targets[from];
        for (int axis = from; axis < to; axis++) {
            set(axis, extents[axis + 1], sources[axis + 1], targets[axis + 1]);
        }
        set(to, extent, source, target);
    }

    /** An iterator over the outer axes that keeps the offsets in source and target. */
    private final class OuterLoops {
        private final int outer;
        private long source;
        private long target;

        OuterLoops(int outer, long source, long target) {
            this.outer = outer;
            Arrays.fill(counter, 0, outer, 0);
            this.source = source;
            this.target = target;
        }

        /** Moves to the next position. {@return whether there was one} */
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
