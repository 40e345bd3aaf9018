package dev.rechunker.io.zarr;

import dev.rechunker.io.bytes.SharedSink;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A write unit without some of its parts. Its fields are guarded by the object itself. */
final class IncompleteUnit {
    final long[] places;
    final int[] sizes;
    /** The number of missing parts. */
    long left;

    long end;
    /** Whether an earlier process has written parts of the unit. */
    boolean goesOn;
    /** Whether bytes were written that may not be on the device yet. */
    boolean dirty;
    /** The sink of the unit; null until this process writes a part. */
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

    /** The position of a part in its unit. */
    record Place(long start, int size) {
        /** The position of a part that was left out. */
        static final Place NONE = new Place(UnitForm.OMITTED, 0);

        /** The position of a part without bytes, in a unit that must exist. */
        static final Place EMPTY = new Place(0, 0);
    }
}
