package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Candidates for the windows of one axis. {@link AxisPairs} has candidates for slabs and windows together. */
final class AxisChoices {
    /**
     * Up to this number, all candidates are tried; else those with the fewest windows, and those that divide evenly.
     */
    private static final long ALL = 1_024;

    /** The most groups of a candidate on an axis that is cut irregularly; the finest candidate may have more. */
    private static final long MOST_LISTED = 1 << 14;

    /**
     * With more parts than these, the candidates differ by a few percent in size; with fewer, there are a few thousand.
     */
    private static final long MANY = 1 << 20;

    /** The least ratio between two counts of parts where there would be too many counts, or pairs of counts. */
    static final double LEAST_STEP = 1.02;

    private AxisChoices() {}

    /**
     * {@return candidates for the windows of one axis} The cost is the number of elements read per element. Of
     * candidates with equal cost the one with fewer windows comes first.
     *
     * @param source the chunks that are read
     * @param target the write units
     * @param wholeChunks whether a chunk that a window touches is read whole
     * @param bufferExtent the elements that a number of units take in a buffer
     * @param secondWeight another number that should be small, such as that of windows, or of pieces of chunks
     */
    static List<Choice> windows(
            Partition source,
            Partition target,
            boolean wholeChunks,
            BufferExtent bufferExtent,
            ToDoubleFunction<Partition> secondWeight) {
        List<Choice> choices = new ArrayList<>();
        for (long units : counts(target, source, ALL)) {
            Partition windows = target.group(units);
            double read = wholeChunks ? elementsRead(source, windows) / source.length() : 1;
            choices.add(new Choice(
                    new Parts(0, units),
                    read,
                    windows.count(),
                    bufferExtent.of(units),
                    secondWeight.applyAsDouble(windows)));
        }
        return ProductSearch.prune(choices);
    }

    /**
     * {@return candidates for the windows of one axis where any bytes can be read} The cost is the number of pieces of
     * chunks, the second weight the number of windows.
     *
     * @param mayCut whether a window may end inside a chunk; if not, there may be no candidate
     */
    static List<Choice> cuts(Partition source, Partition target, boolean mayCut, BufferExtent bufferExtent) {
        List<Choice> choices = new ArrayList<>();
        for (long units : counts(target, source, ALL)) {
            Partition windows = target.group(units);
            double pieces = source.pieces(windows);
            if (mayCut || pieces == source.count()) {
                choices.add(new Choice(
                        new Parts(0, units), pieces, windows.count(), bufferExtent.of(units), windows.count()));
            }
        }
        return ProductSearch.prune(choices);
    }

    /**
     * {@return candidates for the number of parts in a group} These are all numbers if there are few parts. Else, for
     * each number of groups, it is the least number that makes as many groups: once of all numbers, and once of those
     * whose cuts the other partition has as well.
     */
    static SortedSet<Long> counts(Partition parts, Partition other, long all) {
        SortedSet<Long> counts = new TreeSet<>();
        long n = parts.count();
        if (n <= all) {
            for (long i = 1; i <= n; i++) {
                counts.add(i);
            }
            return counts;
        }
        boolean listed = isListed(parts, other, all);
        long aligned = listed ? 1 : Math.max(1, other.step() / LongMath.gcd(parts.step(), other.step()));
        for (long multiple : new long[] {1, aligned}) {
            long steps = LongMath.divide(n, multiple, RoundingMode.CEILING);
            double leastStep = steps > MANY ? LEAST_STEP : 1;
            long least = steps;
            while (least > 0) {
                long groups = LongMath.divide(steps, least, RoundingMode.CEILING);
                if (listed && groups > MOST_LISTED) {
                    break;
                }
                least = LongMath.divide(steps, groups, RoundingMode.CEILING);
                counts.add(Math.min(n, LongMath.saturatedMultiply(least, multiple)));
                // Fewer parts make more groups.
                least = Math.min(least - 1, (long) (least / leastStep));
            }
        }
        counts.add(1L);
        return listed ? new TreeSet<>(thin(counts, LEAST_STEP)) : counts;
    }

    /** {@return whether two partitions take time to compare, because one has many cuts at irregular places} */
    static boolean isListed(Partition a, Partition b, long many) {
        return (!a.isRegular() && a.count() > many) || (!b.isRegular() && b.count() > many);
    }

    /** {@return the last of some sorted counts, and those before it that differ by at least a ratio} */
    static List<Long> thin(Collection<Long> counts, double leastStep) {
        List<Long> kept = new ArrayList<>();
        long last = 0;
        for (long count : counts) {
            if (kept.isEmpty() || count >= kept.get(kept.size() - 1) * leastStep) {
                kept.add(count);
            }
            last = count;
        }
        if (!kept.isEmpty() && kept.get(kept.size() - 1) != last) {
            kept.add(last);
        }
        return kept;
    }

    /** {@return the elements of the axis that are read if each window reads all chunks that it touches as a whole} */
    static double elementsRead(Partition source, Partition windows) {
        long cuts = windows.count() - 1;
        long inside = cuts - windows.commonCuts(source);
        if (windows.isRegular() && !source.isRegular() && source.count() < windows.count()) {
            double read = 0;
            for (long chunk = 0; chunk < source.count(); chunk++) {
                long first = source.start(chunk) / windows.step();
                long last = (source.end(chunk) - 1) / windows.step();
                read += (double) source.size(chunk) * (last - first + 1);
            }
            return read;
        }
        if (!source.isRegular() || !windows.isRegular()) {
            double extra = 0;
            for (long window = 1; window < windows.count(); window++) {
                long chunk = source.indexOf(windows.start(window));
                extra += source.start(chunk) == windows.start(window) ? 0 : source.size(chunk);
            }
            return source.length() + extra;
        }
        // Each cut inside a chunk makes one more read of that chunk; the last chunk may be short.
        long lastChunk = source.start(source.count() - 1);
        long cutsBeforeLast = Math.min(cuts, lastChunk / windows.step());
        long insideLast = cuts - cutsBeforeLast;
        return source.length()
                + (double) (inside - insideLast) * source.step()
                + (double) insideLast * source.size(source.count() - 1);
    }

    /** The extent of several units side by side in a buffer. */
    @FunctionalInterface
    interface BufferExtent {
        /** {@return the number of elements along the axis} */
        long of(long units);
    }
}
