package dev.rechunker.io.zarr;

import dev.rechunker.io.bytes.SharedSink;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A write unit that lacks parts; its fields are guarded by itself. */
final class IncompleteUnit {
    final long[] places;
    final int[] sizes;
    /** Parts that have not come. */
    long left;

    long end;
    /** Whether an earlier process has put down parts of it. */
    boolean goesOn;
    /** Whether something was put down that need not be on the device. */
    boolean dirty;
    /** Where it goes; none as long as no part was put down by this process. */
    @Nullable
    SharedSink sink;

    IncompleteUnit(int parts, long left, long start) {
        places = new long[parts];
        sizes = new int[parts];
        Arrays.fill(places, UnitForm.OMITTED);
        Arrays.fill(sizes, -1);
        this.left = left;
        this.end = start;
    }

    /** Notes where a part is, and that it has come; {@return whether it was the last} */
    synchronized boolean isLast(int part, Place place) {
        if (sizes[part] < 0) {
            left--;
        }
        places[part] = place.start;
        sizes[part] = place.size;
        dirty |= place.start != UnitForm.OMITTED;
        return left == 0;
    }

    /** Where a part lies in its unit. */
    record Place(long start, int size) {
        /** Of a part that was left out. */
        static final Place NONE = new Place(UnitForm.OMITTED, 0);

        /** Of a part that takes none, in a unit that is to be there. */
        static final Place EMPTY = new Place(0, 0);
    }
}
