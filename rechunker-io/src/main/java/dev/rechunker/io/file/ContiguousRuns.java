package dev.rechunker.io.file;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import java.io.IOException;
import java.util.Arrays;

/** Finds the runs of bytes of a region in an array that is stored contiguously, in C order. */
public final class ContiguousRuns {
    private ContiguousRuns() {}

    /** Receives runs. */
    public interface Use {
        /**
         * Receives the next run of a region's elements, in C order.
         *
         * @param offset the offset of the run from the first element of the array, in bytes
         * @param bytes the size of the run
         */
        void run(long offset, long bytes) throws IOException;
    }

    /** Visits all runs of a region that is not empty, in C order. Runs are as long as possible. */
    public static void visit(Shape shape, int itemSize, Region region, Use use) throws IOException {
        int rank = region.rank();
        long[] strides = StridedCopy.denseStrides(shape.toArray(), itemSize);
        long bytes = itemSize;
        long offset = 0;
        int outer = rank;
        boolean joined = true;
        for (int axis = rank - 1; axis >= 0; axis--) {
            offset += region.start(axis) * strides[axis];
            if (joined) {
                bytes *= region.extent(axis);
                outer = axis;
                joined = region.extent(axis) == shape.extent(axis);
            }
        }
        Odometer steps =
                new Odometer(Region.whole(Shape.of(Arrays.copyOf(region.shape().toArray(), outer))));
        while (steps.next()) {
            long[] index = steps.index();
            long at = offset;
            for (int axis = 0; axis < outer; axis++) {
                at += index[axis] * strides[axis];
            }
            use.run(at, bytes);
        }
    }
}
