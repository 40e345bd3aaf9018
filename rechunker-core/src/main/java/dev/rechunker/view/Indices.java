package dev.rechunker.view;

import dev.rechunker.geometry.Partition;
import dev.rechunker.store.StoreException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Indices of an axis in the order in which a view shows them: {@code start, start + step, ...}, or a list. Immutable.
 *
 * <p>The step may be negative; it is not 0. Indices of a list may be in any order and occur several times.
 */
final class Indices {
    private final long start;
    private final long step;
    private final long count;
    private final long @Nullable [] list;

    private Indices(long start, long step, long count, long @Nullable [] list) {
        this.start = start;
        this.step = step;
        this.count = count;
        this.list = list;
    }

    /** {@return {@code count} indices from {@code start} on, each {@code step} after the one before} */
    static Indices of(long start, long step, long count) {
        return count == 0 ? new Indices(0, 1, 0, null) : new Indices(start, count == 1 ? 1 : step, count, null);
    }

    /** {@return all indices of an axis} */
    static Indices all(long length) {
        return of(0, 1, length);
    }

    /** {@return the indices of a list, which need not be sorted} */
    static Indices of(long... list) {
        int run = run(list, 0, list.length);
        return run == list.length
                ? of(list.length == 0 ? 0 : list[0], list.length < 2 ? 1 : list[1] - list[0], list.length)
                : new Indices(0, 0, list.length, list.clone());
    }

    /** {@return how many indices of a list, from one on, have the same distance, which is not 0} */
    private static int run(long[] list, int from, int to) {
        int end = Math.min(from + 1, to);
        while (end < to && list[end] != list[end - 1] && list[end] - list[end - 1] == list[from + 1] - list[from]) {
            end++;
        }
        return end - from;
    }

    /** {@return the number of indices} */
    long count() {
        return count;
    }

    /** {@return an index} */
    long at(long position) {
        return list == null ? start + position * step : list[Math.toIntExact(position)];
    }

    /** {@return the distance between the first two of the indices from a position on; 1 if there is only one} */
    long stepAt(long position) {
        return position + 1 < count ? at(position + 1) - at(position) : 1;
    }

    /** {@return the number of indices in {@code [from, to)} that have the same distance, from the first one on} */
    long runLength(long from, long to) {
        return list == null ? to - from : run(list, Math.toIntExact(from), Math.toIntExact(to));
    }

    /** {@return whether these are consecutive indices, in their order} */
    boolean isRange() {
        return list == null && step == 1;
    }

    /** {@return whether these are consecutive indices, in their order or reversed} */
    boolean isDense() {
        return list == null && Math.abs(step) == 1;
    }

    /** {@return whether each index has the same distance from the one before} */
    boolean isEven() {
        return list == null;
    }

    /** {@return the smallest index at the positions {@code [from, to)}} */
    long least(long from, long to) {
        if (list == null) {
            return Math.min(at(from), at(to - 1));
        }
        return Arrays.stream(list, Math.toIntExact(from), Math.toIntExact(to))
                .min()
                .orElseThrow();
    }

    /** {@return the largest index at the positions {@code [from, to)}} */
    long most(long from, long to) {
        if (list == null) {
            return Math.max(at(from), at(to - 1));
        }
        return Arrays.stream(list, Math.toIntExact(from), Math.toIntExact(to))
                .max()
                .orElseThrow();
    }

    /** {@return the indices that these, of a view with the indices {@code before}, are in the array of the view} */
    Indices after(Indices before) {
        if (list == null && before.list == null) {
            return of(count == 0 ? 0 : before.at(start), before.step * step, count);
        }
        long[] composed = new long[Math.toIntExact(count)];
        for (int i = 0; i < composed.length; i++) {
            composed[i] = before.at(at(i));
        }
        return of(composed);
    }

    /**
     * {@return the partition of the view of an axis, each part of which shows elements of one part of the axis}
     *
     * <p>Parts that have no index do not appear. A part appears several times if indices of others are between its own.
     *
     * @throws StoreException if there are too many parts to list
     */
    Partition image(Partition axis) throws StoreException {
        if (count == 0) {
            return Partition.regular(0, axis.step());
        }
        if (isRange() && (start == 0 || axis.isBoundary(start))) {
            return axis.slice(start, start + count);
        }
        if (list == null && axis.isRegular()) {
            long width = Math.abs(step);
            if (width >= axis.step()) {
                return Partition.regular(count, 1);
            }
            long first = partEnd(axis, 0);
            if (first == count) {
                return Partition.regular(count, isRange() ? axis.step() : first);
            }
            if (axis.step() % width == 0 && first == axis.step() / width) {
                return Partition.regular(count, first);
            }
        }
        return listed(axis);
    }

    private Partition listed(Partition axis) throws StoreException {
        if (isRange()) {
            requireFew(axis.indexOf(start + count - 1) - axis.indexOf(start));
            return axis.slice(start, start + count);
        }
        long[] sizes = new long[16];
        int parts = 0;
        for (long from = 0; from < count; parts++) {
            requireFew(parts);
            sizes = parts == sizes.length ? Arrays.copyOf(sizes, 2 * parts) : sizes;
            long to = partEnd(axis, from);
            sizes[parts] = to - from;
            from = to;
        }
        return Partition.ofSizes(Arrays.copyOf(sizes, parts));
    }

    private static void requireFew(long parts) throws StoreException {
        if (parts >= RegionView.MOST_PARTS) {
            throw new StoreException(
                    "a view has more than " + RegionView.MOST_PARTS + " chunks of different sizes on an axis;"
                            + " select a range that starts at a chunk, or fewer elements");
        }
    }

    /** {@return the end of the positions, from one on, whose indices are in the same part of an axis} */
    private long partEnd(Partition axis, long from) {
        long part = axis.indexOf(at(from));
        long least = axis.start(part);
        long most = axis.end(part) - 1;
        if (list == null) {
            long left = step > 0 ? (most - at(from)) / step : (at(from) - least) / -step;
            return Math.min(count, from + left + 1);
        }
        long to = from + 1;
        while (to < count && at(to) >= least && at(to) <= most) {
            to++;
        }
        return to;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Indices other
                && start == other.start
                && step == other.step
                && count == other.count
                && Arrays.equals(list, other.list);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(start + 31 * count);
    }

    @Override
    public String toString() {
        return list == null ? start + "+" + step + "*" + count : Arrays.toString(list);
    }
}
