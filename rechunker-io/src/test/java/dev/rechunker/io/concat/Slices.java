package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.testing.Data;
import java.util.ArrayList;
import java.util.List;

/** Parts of an array along one axis. */
final class Slices {
    private Slices() {}

    /** {@return the data of a part, whose elements are those of its region in the whole array} */
    static Data of(Data whole, int axis, long start, ArraySpec part) {
        return Data.of(part, (position, element) -> {
            long[] index = index(part.shape(), position);
            index[axis] += start;
            copy(whole, index, element);
        });
    }

    /** {@return the data of one entry, without the axis, whose elements are those of its region in the whole array} */
    static Data entry(Data whole, int axis, long at, ArraySpec entry) {
        return Data.of(entry, (position, element) -> {
            long[] index = index(entry.shape(), position);
            long[] inWhole = new long[index.length + 1];
            System.arraycopy(index, 0, inWhole, 0, axis);
            inWhole[axis] = at;
            System.arraycopy(index, axis, inWhole, axis + 1, index.length - axis);
            copy(whole, inWhole, element);
        });
    }

    /** {@return the same elements in another array, with the bytes of each word reversed} */
    static Data swapped(Data data, ArraySpec spec, int word) {
        return Data.of(spec, (position, element) -> {
            copy(data, index(spec.shape(), position), element);
            for (int start = 0; start < element.length; start += word) {
                for (int i = 0; i < word / 2; i++) {
                    byte held = element[start + i];
                    element[start + i] = element[start + word - 1 - i];
                    element[start + word - 1 - i] = held;
                }
            }
        });
    }

    private static void copy(Data whole, long[] index, byte[] element) {
        Shape one = Shape.of(new long[index.length]).combine(Shape.of(new long[index.length]), (a, b) -> 1);
        System.arraycopy(whole.elements(Region.of(index, one)), 0, element, 0, element.length);
    }

    private static long[] index(Shape shape, long position) {
        long[] index = new long[shape.rank()];
        long rest = position;
        for (int axis = index.length - 1; axis >= 0; axis--) {
            index[axis] = rest % shape.extent(axis);
            rest /= shape.extent(axis);
        }
        return index;
    }

    /** {@return the parts {@code [from, to)} of a partition, as a partition} */
    static Partition parts(Partition whole, long from, long to) {
        if (whole.isRegular()) {
            long length = from == to ? 0 : whole.end(to - 1) - whole.start(from);
            return Partition.regular(length, whole.step());
        }
        long[] sizes = new long[(int) (to - from)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = whole.size(from + i);
        }
        return Partition.ofSizes(sizes);
    }

    static ChunkGrid with(ChunkGrid grid, int axis, Partition partition) {
        List<Partition> axes = new ArrayList<>(grid.axes());
        axes.set(axis, partition);
        return ChunkGrid.of(axes);
    }

    static ChunkGrid without(ChunkGrid grid, int axis) {
        List<Partition> axes = new ArrayList<>(grid.axes());
        axes.remove(axis);
        return ChunkGrid.of(axes);
    }
}
