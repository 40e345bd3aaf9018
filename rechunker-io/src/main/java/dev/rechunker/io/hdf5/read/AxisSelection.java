package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.hdf5.format.SelectionHeader;
import dev.rechunker.store.StoreException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selected positions of one axis, numbered in increasing order: blocks at a regular distance, of which the last may be
 * incomplete, or runs of any sizes. Immutable.
 */
final class AxisSelection {
    /** The size of a selection that continues without an end. */
    static final long UNLIMITED = SelectionHeader.UNLIMITED;

    private final long start;
    private final long stride;
    private final long block;
    private final long size;
    /** The first position of each run, and the number of positions before it; null if blocks are regular. */
    private final long @Nullable [] starts;

    private final long @Nullable [] before;

    private AxisSelection(
            long start, long stride, long block, long size, long @Nullable [] starts, long @Nullable [] before) {
        this.start = start;
        this.stride = stride;
        this.block = block;
        this.size = size;
        this.starts = starts;
        this.before = before;
    }

    /**
     * {@return blocks at a regular distance}
     *
     * @param count the number of blocks, which can be {@link #UNLIMITED}
     * @param block the size of a block, which can be {@link #UNLIMITED} if there is one block
     * @throws StoreException if blocks overlap, or end beyond the largest position
     */
    static AxisSelection regular(long start, long stride, long count, long block) throws StoreException {
        if (count == 0 || block == 0) {
            return new AxisSelection(0, 1, 1, 0, null, null);
        }
        boolean touch = count == 1 || stride == block;
        boolean isValid = start >= 0
                && count > 0
                && block > 0
                && stride > 0
                && (touch || stride >= block)
                && (block != UNLIMITED || count == 1);
        try {
            long size = count == UNLIMITED || block == UNLIMITED ? UNLIMITED : Math.multiplyExact(count, block);
            if (isValid && size != UNLIMITED) {
                Math.addExact(Math.addExact(start, Math.multiplyExact(count - 1, stride)), block);
            }
            if (isValid) {
                return new AxisSelection(start, count == 1 ? block : stride, block, size, null, null);
            }
        } catch (ArithmeticException e) {
            // refused below
        }
        throw new StoreException("a selection of " + count + " blocks of " + block + ", every " + stride + " from "
                + start + " on, is not valid");
    }

    /**
     * {@return runs}
     *
     * @param bounds the first and the last position of each run, in increasing order
     * @throws StoreException if runs overlap
     */
    static AxisSelection ofRuns(long[][] bounds) throws StoreException {
        boolean isRegular = true;
        for (int i = 0; i < bounds.length; i++) {
            if (bounds[i][0] < 0 || bounds[i][1] < bounds[i][0] || (i > 0 && bounds[i][0] <= bounds[i - 1][1])) {
                throw new StoreException("a selection has blocks that overlap or are empty");
            }
            isRegular &= length(bounds[i]) == length(bounds[0])
                    && (i < 2 || bounds[i][0] - bounds[i - 1][0] == bounds[1][0] - bounds[0][0]);
        }
        if (bounds.length == 0) {
            return regular(0, 1, 0, 1);
        }
        if (isRegular) {
            long stride = bounds.length == 1 ? length(bounds[0]) : bounds[1][0] - bounds[0][0];
            return regular(bounds[0][0], stride, bounds.length, length(bounds[0]));
        }
        long[] starts = new long[bounds.length];
        long[] before = new long[bounds.length];
        long size = 0;
        for (int i = 0; i < bounds.length; i++) {
            starts[i] = bounds[i][0];
            before[i] = size;
            size = Math.addExact(size, length(bounds[i]));
        }
        return new AxisSelection(starts[0], 1, 1, size, starts, before);
    }

    private static long length(long[] run) {
        return run[1] - run[0] + 1;
    }

    /** {@return all positions of an axis} */
    static AxisSelection all(long extent) {
        return new AxisSelection(0, Math.max(1, extent), Math.max(1, extent), extent, null, null);
    }

    /** {@return the number of positions} */
    long size() {
        return size;
    }

    boolean isUnlimited() {
        return size == UNLIMITED;
    }

    /** {@return the position with a number} */
    long at(long number) {
        if (starts == null || before == null) {
            return start + number / block * stride + number % block;
        }
        int found = Arrays.binarySearch(before, number);
        int run = found >= 0 ? found : -found - 2;
        return starts[run] + number - before[run];
    }

    /**
     * {@return the position after the last one; 0 if there is none}
     *
     * @throws ArithmeticException if it is not a number of 63 bits
     */
    long end() {
        if (size == 0 || starts != null) {
            return size == 0 ? 0 : at(size - 1) + 1;
        }
        long before = Math.multiplyExact((size - 1) / block, stride);
        return Math.addExact(Math.addExact(start, before), (size - 1) % block + 1);
    }

    /** {@return the number of selected positions that are less than a position} */
    long countBelow(long position) {
        if (position <= start) {
            return 0;
        }
        if (starts == null || before == null) {
            long distance = position - start;
            return Math.min(size, distance / stride * block + Math.min(distance % stride, block));
        }
        int found = Arrays.binarySearch(starts, position);
        int run = found >= 0 ? found - 1 : -found - 2;
        long end = run + 1 < before.length ? before[run + 1] : size;
        return Math.min(end, before[run] + position - starts[run]);
    }

    /** {@return the first positions} */
    AxisSelection first(long count) {
        return new AxisSelection(start, stride, block, Math.min(size, count), starts, before);
    }

    /** {@return a block of a regular selection, by its number} */
    AxisSelection block(long number) throws StoreException {
        try {
            return regular(Math.addExact(start, Math.multiplyExact(number, stride)), block, 1, block);
        } catch (ArithmeticException e) {
            throw new StoreException("block " + number + " of a selection is beyond the largest position", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AxisSelection same
                && same.start == start
                && same.stride == stride
                && same.block == block
                && same.size == size
                && Arrays.equals(same.starts, starts)
                && Arrays.equals(same.before, before);
    }

    @Override
    public int hashCode() {
        return Objects.hash(start, stride, block, size, Arrays.hashCode(starts));
    }

    @Override
    public String toString() {
        return size == 0 ? "nothing" : at(0) + ":" + (isUnlimited() ? "" : end());
    }
}
