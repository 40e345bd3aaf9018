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

/** The ways worth considering to cut one axis into windows; {@link AxisPairs} has those into slabs and windows. */
final class AxisChoices {
    /** Up to so many ways all are considered; beyond, those that make the fewest windows or divide evenly. */
    private static final long ALL = 1_024;

    /**
     * Where an axis is cut irregularly, ways that make more groups than these are not considered, but for the finest.
     */
    private static final long MOST_LISTED = 1 << 14;

    /**
     * Of more parts than these, the counts that are tried differ by some percent; of fewer, there are some thousands.
     */
    private static final long MANY = 1 << 20;

    /** The least ratio between two counts of parts, where the counts, or pairs of them, would be too many. */
    static final double LEAST_STEP = 1.02;

    private AxisChoices() {}

    /**
     * {@return the windows of one axis: cost is the elements read per element, and of equal ones the fewest come first}
     *
     * @param source the chunks read
     * @param target the write units
     * @param wholeChunks whether a chunk that a window touches is read whole
     * @param bufferExtent elements that so many units take in a buffer
     * @param secondWeight what else should be small, such as the number of windows, or of pieces of chunks
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
     * {@return the windows of one axis where any bytes can be read: cost is the number of pieces of chunks, second
     * weight the number of windows}
     *
     * @param mayCut whether a window may end inside a chunk; if not, there may be no choice
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
     * {@return how many parts are worth grouping: all numbers if there are few; else for every number of groups the
     * least that makes it, once among all and once among those whose cuts the other partition shares}
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

    /** {@return whether it takes time to compare two partitions, because they have many cuts in places of their own} */
    static boolean isListed(Partition a, Partition b, long many) {
        return (!a.isRegular() && a.count() > many) || (!b.isRegular() && b.count() > many);
    }

    /** {@return the last of sorted counts, and those before it that differ by some percent} */
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

    /** {@return the elements of the axis that are read when each window reads whole the chunks it touches} */
    private static double elementsRead(Partition source, Partition windows) {
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

    /** Tells what some units side by side take in a buffer. */
    @FunctionalInterface
    interface BufferExtent {
        /** {@return elements along the axis} */
        long of(long units);
    }
}
