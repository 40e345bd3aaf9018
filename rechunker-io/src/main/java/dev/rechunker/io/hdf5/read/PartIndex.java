package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds parts of a virtual dataset by their positions on the axis on which they have the most different ones. */
final class PartIndex {
    private final int axis;
    /** The parts in the order of their first positions. */
    private final int[] order;

    private final long[] starts;
    /** The largest end of a part and those before it in the order. */
    private final long[] ends;

    PartIndex(List<VirtualPart> parts, int rank) {
        this.axis = mostVaried(parts, rank);
        this.order = new int[parts.size()];
        this.starts = new long[order.length];
        this.ends = new long[order.length];
        List<Integer> sorted = new ArrayList<>();
        for (int i = 0; i < order.length; i++) {
            sorted.add(i);
        }
        sorted.sort(
                Comparator.comparingLong(i -> parts.get(i).target().get(axis).at(0)));
        long end = 0;
        for (int i = 0; i < order.length; i++) {
            AxisSelection target = parts.get(sorted.get(i)).target().get(axis);
            order[i] = sorted.get(i);
            starts[i] = target.at(0);
            end = Math.max(end, target.end());
            ends[i] = end;
        }
    }

    private static int mostVaried(List<VirtualPart> parts, int rank) {
        int best = 0;
        int most = 0;
        for (int axis = 0; axis < rank; axis++) {
            Set<Long> starts = new HashSet<>();
            for (VirtualPart part : parts) {
                starts.add(part.target().get(axis).at(0));
            }
            if (starts.size() > most) {
                most = starts.size();
                best = axis;
            }
        }
        return best;
    }

    /** {@return the numbers of all parts that may have elements of a region, in increasing order} */
    int[] find(Region region) {
        int found = Arrays.binarySearch(starts, region.end(axis));
        int last = found < 0 ? -found - 1 : found;
        while (last < starts.length && starts[last] < region.end(axis)) {
            last++;
        }
        int first = last;
        while (first > 0 && ends[first - 1] > region.start(axis)) {
            first--;
        }
        int[] numbers = Arrays.copyOfRange(order, first, last);
        Arrays.sort(numbers);
        return numbers;
    }
}
