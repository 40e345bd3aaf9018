package dev.rechunker.geometry;

import com.google.common.math.LongMath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The partition of one axis {@code [0, length)} into consecutive, non-empty parts, such as the chunks along the axis. A
 * cut is a position inside the axis where one part ends and the next one starts. A regular partition has a cut every
 * {@code step} elements, and its last part may be shorter; an irregular one has cuts at given positions.
 *
 * <p>An axis of length 0 has no parts. The step may exceed the length, as a chunk may be larger than its array. Then
 * there is one part, of the size of the axis; its nominal size {@link #step()} is larger, and formats that pad chunks
 * at the array's ends store it in full. Of an irregular partition, too, the last part may be nominally larger.
 */
public final class Partition {
    /** The number of different sizes, one after the other, that a brief text lists. */
    private static final int BRIEF_RUNS = 5;

    private final long length;
    private final long step;
    /** The parts' boundaries {@code 0 = b[0] < b[1] < ... = length}, or null if regular. */
    private final long @Nullable [] boundaries;
    /** The position at which the last part nominally ends, if irregular. */
    private final long nominalEnd;

    private final long maxSize;

    private Partition(long length, long step, long @Nullable [] boundaries, long nominalEnd) {
        this.length = length;
        this.step = step;
        this.boundaries = boundaries;
        this.nominalEnd = nominalEnd;
        this.maxSize = boundaries == null ? Math.min(step, length) : largest(boundaries);
    }

    /**
     * {@return the partition of {@code [0, length)} with cuts at the multiples of {@code step}}
     *
     * @throws IllegalArgumentException if the length is negative or the step is not positive
     */
    public static Partition regular(long length, long step) {
        if (length < 0 || step <= 0) {
            throw new IllegalArgumentException(
                    "an axis of length " + length + " cannot be cut every " + step + " elements");
        }
        return new Partition(length, step, null, length);
    }

    /**
     * {@return the partition whose parts have these sizes, in order; it is regular if all have the same size, but for a
     * shorter last one}
     *
     * @throws IllegalArgumentException if a size is not positive
     */
    public static Partition ofSizes(long... sizes) {
        long[] boundaries = new long[sizes.length + 1];
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] <= 0) {
                throw new IllegalArgumentException("part " + i + " has size " + sizes[i] + "; sizes must be positive");
            }
            boundaries[i + 1] = Math.addExact(boundaries[i], sizes[i]);
        }
        return ofBoundaries(boundaries);
    }

    /**
     * {@return the partition of {@code [0, length)} whose parts have these nominal sizes, in order}
     *
     * <p>The last part may nominally end after the axis; sizes after it are ignored. The partition is regular only if
     * all parts have the same nominal size, so that each part has the nominal size that is given here.
     *
     * @throws IllegalArgumentException if a size is not positive, or the axis is longer than all of them together
     */
    public static Partition ofNominalSizes(long length, long... sizes) {
        long[] ends = new long[sizes.length + 1];
        int parts = 0;
        boolean isRegular = true;
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] <= 0) {
                throw new IllegalArgumentException("part " + i + " has size " + sizes[i] + "; sizes must be positive");
            }
            if (ends[parts] < length) {
                ends[parts + 1] = Math.addExact(ends[parts], sizes[i]);
                isRegular &= sizes[i] == sizes[0];
                parts++;
            }
        }
        if (ends[parts] < length) {
            throw new IllegalArgumentException(
                    "parts of " + ends[parts] + " elements in all do not cover an axis of length " + length);
        }
        if (isRegular) {
            return regular(length, sizes.length == 0 ? 1 : sizes[0]);
        }
        long[] boundaries = Arrays.copyOf(ends, parts + 1);
        boundaries[parts] = length;
        return irregular(boundaries, ends[parts]);
    }

    /**
     * {@return the partition with these boundaries, regular if the parts allow it}
     *
     * @param boundaries strictly increasing, from 0 to the length of the axis; not copied
     */
    private static Partition ofBoundaries(long[] boundaries) {
        int parts = boundaries.length - 1;
        long length = boundaries[parts];
        if (parts == 0) {
            return regular(0, 1);
        }
        long first = boundaries[1];
        boolean isRegular = true;
        for (int i = 1; i < parts && isRegular; i++) {
            long size = boundaries[i + 1] - boundaries[i];
            isRegular = i == parts - 1 ? size <= first : size == first;
        }
        return isRegular ? regular(length, first) : irregular(boundaries, length);
    }

    private static Partition irregular(long[] boundaries, long nominalEnd) {
        int last = boundaries.length - 2;
        long step = Math.max(largest(boundaries), nominalEnd - boundaries[last]);
        return new Partition(boundaries[last + 1], step, boundaries, nominalEnd);
    }

    private static long largest(long[] boundaries) {
        long largest = 0;
        for (int i = 1; i < boundaries.length; i++) {
            largest = Math.max(largest, boundaries[i] - boundaries[i - 1]);
        }
        return largest;
    }

    /** {@return the length of the axis} */
    public long length() {
        return length;
    }

    /** {@return whether all cuts are at multiples of {@link #step()}} */
    public boolean isRegular() {
        return boundaries == null;
    }

    /**
     * {@return the largest nominal size of a part: the step of a regular partition, which may exceed the length, or
     * that of the largest part of an irregular one}
     *
     * <p>A {@link #slice} keeps the nominal size of the partition that it was made from.
     */
    public long step() {
        return step;
    }

    /**
     * {@return the nominal size of part {@code index}: the step of a regular partition; otherwise its size or, of the
     * last part, possibly more}
     */
    public long nominalSize(long index) {
        if (boundaries == null) {
            return step;
        }
        return index + 1 == count() ? nominalEnd - start(index) : size(index);
    }

    /** {@return the index after the last of the parts from {@code first} on that have the same nominal size} */
    public long endOfRun(long first) {
        if (boundaries == null) {
            return count();
        }
        long end = first + 1;
        while (end < count() && nominalSize(end) == nominalSize(first)) {
            end++;
        }
        return end;
    }

    /** {@return whether the nominal size of each part is a multiple of {@code unit}; of an empty axis, the step} */
    public boolean isInUnits(long unit) {
        if (boundaries == null) {
            return step % unit == 0;
        }
        long part = 0;
        while (part < count() && nominalSize(part) % unit == 0) {
            part = endOfRun(part);
        }
        return part == count();
    }

    /** {@return whether the last part is smaller than its nominal size} */
    public boolean isClipped() {
        return boundaries == null ? length % step != 0 : nominalEnd != length;
    }

    /** {@return the size of the largest part; 0 for an axis of length 0} */
    public long maxSize() {
        return maxSize;
    }

    /** {@return the number of parts} */
    public long count() {
        return boundaries == null ? ceilDiv(length, step) : boundaries.length - 1;
    }

    /** {@return the position at which part {@code index} starts} */
    public long start(long index) {
        return boundaries == null ? index * step : boundaries[(int) index];
    }

    /** {@return the position at which part {@code index} ends, exclusive} */
    public long end(long index) {
        return boundaries == null ? (index + 1 < count() ? (index + 1) * step : length) : boundaries[(int) index + 1];
    }

    /** {@return the size of part {@code index}} */
    public long size(long index) {
        return end(index) - start(index);
    }

    /**
     * {@return the index of the part that contains a position}
     *
     * @throws IndexOutOfBoundsException if the position is outside the axis
     */
    public long indexOf(long position) {
        if (position < 0 || position >= length) {
            throw new IndexOutOfBoundsException("position " + position + " is outside an axis of length " + length);
        }
        if (boundaries == null) {
            return position / step;
        }
        int found = Arrays.binarySearch(boundaries, position);
        return found >= 0 ? found : -found - 2;
    }

    /** {@return whether a part starts or ends at a position} */
    public boolean isBoundary(long position) {
        if (position == 0 || position == length) {
            return true;
        }
        return boundaries == null ? position % step == 0 : Arrays.binarySearch(boundaries, position) >= 0;
    }

    /**
     * {@return the coarser partition of which each part consists of {@code parts} parts of this one}
     *
     * @throws IllegalArgumentException if {@code parts} is not positive
     */
    public Partition group(long parts) {
        if (parts <= 0) {
            throw new IllegalArgumentException(
                    "cannot group " + parts + " parts into one; the number must be positive");
        }
        if (parts == 1) {
            return this;
        }
        if (boundaries == null) {
            return regular(length, parts >= count() ? Math.max(step, length) : step * parts);
        }
        int count = Math.toIntExact(ceilDiv(count(), parts));
        long[] grouped = new long[count + 1];
        for (int i = 1; i <= count; i++) {
            grouped[i] = boundaries[(int) Math.min(i * parts, count())];
        }
        return ofBoundaries(grouped);
    }

    /**
     * {@return the partition of a longer axis, whose parts begin with those of this one}
     *
     * <p>First the last part grows to its nominal size. The rest is cut into parts of {@link #step()}; if this
     * partition is irregular, the last one is nominally as large as it is.
     *
     * @param unit the number of which nominal sizes are multiples: 1 for chunks, the size of a chunk for shards
     * @throws IllegalArgumentException if the axis would become shorter
     * @throws ArithmeticException if there are more parts than an array can list
     */
    public Partition grown(long longer, long unit) {
        if (longer < length) {
            throw new IllegalArgumentException("an axis of length " + length + " cannot grow to " + longer);
        }
        if (longer == length) {
            return this;
        }
        if (boundaries == null) {
            return regular(longer, inUnits(step, unit));
        }
        long end = inUnits(nominalEnd, unit);
        if (longer <= end) {
            long[] same = boundaries.clone();
            same[same.length - 1] = longer;
            return irregular(same, end);
        }
        int parts = Math.toIntExact(count());
        long size = inUnits(step, unit);
        long[] more = Arrays.copyOf(boundaries, Math.toIntExact(parts + ceilDiv(longer - end, size) + 1));
        more[parts] = end;
        for (int i = parts + 1; i < more.length; i++) {
            more[i] = i == more.length - 1 ? longer : more[i - 1] + size;
        }
        return irregular(more, inUnits(longer, unit));
    }

    private static long inUnits(long elements, long unit) {
        return Math.multiplyExact(ceilDiv(elements, unit), unit);
    }

    /**
     * {@return the partition of the range {@code [from, to)}, with the cuts that this one has inside the range}
     *
     * <p>Positions in the slice are counted from {@code from}. The slice has the nominal size of this partition. Only
     * if this partition has a single part, the nominal size of the slice is its length. The slice of the whole axis is
     * this partition.
     *
     * @throws IllegalArgumentException if the range is not inside the axis
     * @throws ArithmeticException if the slice is irregular and has more parts than an array can list
     */
    public Partition slice(long from, long to) {
        if (from < 0 || from > to || to > length) {
            throw new IllegalArgumentException("[" + from + ", " + to + ") is not in an axis of length " + length);
        }
        if (from == 0 && to == length) {
            return this;
        }
        if (from == to) {
            return regular(0, step);
        }
        if (count() == 1) {
            return regular(to - from, to - from);
        }
        long first = indexOf(from);
        long last = indexOf(to - 1);
        if (first == last || (boundaries == null && from % step == 0)) {
            return regular(to - from, step);
        }
        long[] cuts = new long[Math.toIntExact(last - first + 2)];
        for (int i = 1; i < cuts.length; i++) {
            cuts[i] = Math.min(end(first + i - 1), to) - from;
        }
        return new Partition(to - from, step, cuts, to == length ? nominalEnd - from : to - from);
    }

    /**
     * {@return whether every cut of {@code coarse} is also a cut of this partition, so that each part of {@code coarse}
     * consists of whole parts of this one}
     */
    public boolean refines(Partition coarse) {
        return equals(coarse) || pieces(coarse) == count();
    }

    /** {@return the number of cuts that both partitions have} */
    public long commonCuts(Partition other) {
        requireLength(other);
        if (length == 0) {
            return 0;
        }
        if (boundaries == null && other.boundaries == null) {
            long common = lcmUpTo(step, other.step, length);
            return common >= length ? 0 : (length - 1) / common;
        }
        boolean listMine = count() <= other.count();
        Partition listed = listMine ? this : other;
        Partition probed = listMine ? other : this;
        long cuts = 0;
        for (long i = 1; i < listed.count(); i++) {
            cuts += probed.isBoundary(listed.start(i)) ? 1 : 0;
        }
        return cuts;
    }

    /** {@return the number of pieces into which the cuts of both partitions divide the axis} */
    public long pieces(Partition other) {
        requireLength(other);
        return length == 0 ? 0 : count() + other.count() - 1 - commonCuts(other);
    }

    /**
     * {@return the common refinement: the partition with the cuts of both}
     *
     * @throws ArithmeticException if there are more pieces than an array can list
     */
    public Partition refine(Partition other) {
        requireLength(other);
        long pieces = pieces(other);
        if (pieces == count() || pieces == other.count()) {
            boolean both = count() == other.count();
            return (both ? step < other.step : pieces == count()) ? this : other;
        }
        long[] merged = new long[Math.toIntExact(pieces + 1)];
        long mine = 0;
        long theirs = 0;
        for (int i = 0; i < merged.length; i++) {
            long a = boundary(mine);
            long b = other.boundary(theirs);
            merged[i] = Math.min(a, b);
            mine += a == merged[i] ? 1 : 0;
            theirs += b == merged[i] ? 1 : 0;
        }
        return ofBoundaries(merged);
    }

    private long boundary(long index) {
        return index == count() ? length : start(index);
    }

    /**
     * {@return the size of the smallest blocks that consist of whole parts of both partitions: the least common
     * multiple of the steps, or the length of the axis if that is smaller or one of the partitions is irregular}
     */
    public long coupledSize(Partition other) {
        requireLength(other);
        return boundaries == null && other.boundaries == null ? lcmUpTo(step, other.step, length) : length;
    }

    /** {@return {@code min(limit, lcm(a, b))}, without overflow} */
    private static long lcmUpTo(long a, long b, long limit) {
        if (a >= limit || b >= limit) {
            return limit;
        }
        long quotient = b / LongMath.gcd(a, b);
        return quotient > limit / a ? limit : Math.min(limit, a * quotient);
    }

    private void requireLength(Partition other) {
        if (other.length != length) {
            throw new IllegalArgumentException("axes differ in length: " + length + " and " + other.length);
        }
    }

    static long ceilDiv(long a, long b) {
        return a / b + (a % b == 0 ? 0 : 1);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Partition other
                && length == other.length
                && step == other.step
                && nominalEnd == other.nominalEnd
                && Arrays.equals(boundaries, other.boundaries);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(length) + Long.hashCode(step)) + Arrays.hashCode(boundaries);
    }

    /**
     * {@return the nominal sizes of the parts: {@code 5} if it is regular, otherwise a list, {@code [31,28,31x2]},
     * where {@code 31x2} is 31 two times}
     */
    public String text() {
        return text(Long.MAX_VALUE);
    }

    /** {@return {@link #text()}, where the end of a long list is replaced by dots} */
    String briefText() {
        return text(BRIEF_RUNS);
    }

    private String text(long mostRuns) {
        if (boundaries == null) {
            return Long.toString(step);
        }
        StringBuilder text = new StringBuilder("[");
        long part = 0;
        for (long runs = 0; part < count(); runs++) {
            if (runs == mostRuns) {
                return text.append(",...]").toString();
            }
            long end = endOfRun(part);
            text.append(runs == 0 ? "" : ",")
                    .append(nominalSize(part))
                    .append(end - part == 1 ? "" : "x" + (end - part));
            part = end;
        }
        return text.append(']').toString();
    }

    /** {@return a description such as {@code 8901 by 5} or {@code 10 by [3,4,1x3]}} */
    @Override
    public String toString() {
        return length + " by " + briefText();
    }
}
