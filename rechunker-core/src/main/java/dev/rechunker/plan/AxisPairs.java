package dev.rechunker.plan;

import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Candidates for the slabs and windows of one axis. The cost of a pair is computed once, and kept for searches with
 * other limits.
 */
final class AxisPairs {
    private static final long ALL = 48;

    private static final long MOST = 40_000;

    /** The least ratio between two counts where comparing a pair takes time for each cut. */
    private static final double LEAST_LISTED_STEP = 1.15;

    private final Partition source;
    private final Partition target;
    private final AxisChoices.BufferExtent bufferExtent;
    private final SortedSet<Long> slabCounts;
    private final SortedSet<Long> windowCounts;
    private final boolean listed;
    /** At most twice {@link #MOST}, some 10 MB. */
    private final Map<Parts, Choice> known = new HashMap<>();

    private List<Long> lastSlabs = List.of();
    private List<Long> lastWindows = List.of();
    private @Nullable AxisWays last;

    /**
     * Creates the candidates of one axis.
     *
     * @param source the chunks that are read
     * @param target the write units
     * @param bufferExtent the elements that a number of units take in a buffer
     */
    AxisPairs(Partition source, Partition target, AxisChoices.BufferExtent bufferExtent) {
        this.source = source;
        this.target = target;
        this.bufferExtent = bufferExtent;
        this.slabCounts = AxisChoices.counts(source, target, ALL);
        this.windowCounts = AxisChoices.counts(target, source, ALL);
        this.listed = AxisChoices.isListed(source, target, ALL);
    }

    /**
     * {@return the candidates within limits} The cost is the number of pieces; with equal costs, smaller blocks win.
     */
    AxisWays within(double slabLimit, double windowLimit) {
        List<Long> slabs = fitting(slabCounts, chunks -> source.group(chunks).maxSize() <= slabLimit);
        List<Long> windows = fitting(windowCounts, units -> bufferExtent.of(units) <= windowLimit);
        if (listed || (long) slabs.size() * windows.size() > MOST) {
            double step = listed ? LEAST_LISTED_STEP : AxisChoices.LEAST_STEP;
            do {
                slabs = AxisChoices.thin(slabs, step);
                windows = AxisChoices.thin(windows, step);
                step *= step;
            } while ((long) slabs.size() * windows.size() > MOST);
        }
        if (last != null && slabs.equals(lastSlabs) && windows.equals(lastWindows)) {
            return last;
        }
        if (known.size() > MOST) {
            known.clear();
        }
        List<Choice> choices = new ArrayList<>();
        for (long chunks : slabs) {
            for (long units : windows) {
                choices.add(known.computeIfAbsent(new Parts(chunks, units), this::choice));
            }
        }
        lastSlabs = slabs;
        lastWindows = windows;
        last = new AxisWays(ProductSearch.prune(choices));
        return last;
    }

    private Choice choice(Parts parts) {
        Partition slabs = source.group(parts.slab());
        Partition windows = target.group(parts.window());
        long coupled = slabs.coupledSize(windows);
        boolean regular = slabs.isRegular() && windows.isRegular();
        // Regular partitions share only the cuts between coupled blocks.
        long pieces =
                regular ? slabs.count() + windows.count() - 1 - (slabs.length() - 1) / coupled : slabs.pieces(windows);
        return new Choice(parts, pieces, coupled, slabs.maxSize(), bufferExtent.of(parts.window()));
    }

    private static List<Long> fitting(SortedSet<Long> counts, LongPredicate fits) {
        return counts.stream().takeWhile(fits::test).toList();
    }
}
