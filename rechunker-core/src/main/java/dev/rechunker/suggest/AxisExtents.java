package dev.rechunker.suggest;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The extents of chunks that are tried along each axis. */
final class AxisExtents {
    /** The most combinations that are tried, which takes about a second. */
    private static final double MOST_COMBINATIONS = 500_000;

    private AxisExtents() {}

    /**
     * {@return the extents of each axis, in increasing order: the whole axis and parts of it that are nearly equal,
     * fewer where there are many axes; what a read has, and the extent of the present chunks}
     */
    static List<List<Long>> of(ChunkGrid present, List<ReadCosts> ways) {
        List<List<Long>> extents = new ArrayList<>();
        for (int axis = 0; axis < present.rank(); axis++) {
            extents.add(parts(Math.max(1, present.axis(axis).length())));
        }
        while (combinations(extents) > MOST_COMBINATIONS) {
            extents.replaceAll(AxisExtents::everySecond);
        }
        for (int axis = 0; axis < present.rank(); axis++) {
            TreeSet<Long> all = new TreeSet<>(extents.get(axis));
            for (ReadCosts way : ways) {
                all.add(way.length(axis));
            }
            all.add(Math.min(
                    present.axis(axis).step(), Math.max(1, present.axis(axis).length())));
            extents.set(axis, List.copyOf(all));
        }
        return extents;
    }

    /** {@return the sizes of 1, 2, 3, 4, 6, 8, 12, 16 ... parts of an axis, in increasing order} */
    private static List<Long> parts(long length) {
        TreeSet<Long> sizes = new TreeSet<>(List.of(1L));
        for (long parts = 1; parts > 0 && parts < length; parts *= 2) {
            sizes.add(LongMath.divide(length, parts, RoundingMode.CEILING));
            sizes.add(LongMath.divide(length, parts + (parts + 1) / 2, RoundingMode.CEILING));
        }
        sizes.add(length);
        return List.copyOf(sizes);
    }

    private static double combinations(List<List<Long>> extents) {
        return extents.stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
    }

    /** {@return every second extent, and the last one} */
    private static List<Long> everySecond(List<Long> extents) {
        List<Long> left = new ArrayList<>();
        for (int i = (extents.size() + 1) % 2; i < extents.size(); i += 2) {
            left.add(extents.get(i));
        }
        return left;
    }
}
