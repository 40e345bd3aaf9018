package dev.rechunker.io.zarr;

import dev.rechunker.io.bytes.SharedSink;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A write unit of which parts are missing. Its fields are guarded by the object itself. */
final class IncompleteUnit {
    /** The position of each part; {@link UnitForm#OMITTED} if it is missing or left out. */
    final long[] positions;
    /** The stored size of each part; negative if it is missing. */
    final int[] sizes;
    /** The number of missing parts. */
    long missing;
    /** The position after the last part. */
    long end;
    /** Whether an earlier process has written parts of the unit. */
    boolean resumed;
    /** Whether the unit is visible. */
    boolean committed;
    /** Whether bytes were written that may not be on the device yet. */
    boolean dirty;
    /** The sink of the unit; null until this process writes a part. */
    @Nullable
    SharedSink sink;

    IncompleteUnit(int parts, long missing, long start) {
        positions = new long[parts];
        sizes = new int[parts];
        Arrays.fill(positions, UnitForm.OMITTED);
        Arrays.fill(sizes, -1);
        this.missing = missing;
        this.end = start;
    }

    /** Records a part; {@return whether no part is missing now} */
    synchronized boolean recordPart(int part, StoredPart stored) {
        if (sizes[part] < 0) {
            missing--;
        }
        positions[part] = stored.position;
        sizes[part] = stored.size;
        dirty |= stored.position != UnitForm.OMITTED;
        return missing == 0;
    }

    synchronized boolean isCommitted() {
        return committed;
    }

    /** {@return whether the stored parts follow one another in C order, the first one at a position} */
    synchronized boolean isInOrder(long start) {
        long at = start;
        for (int part = 0; part < positions.length; part++) {
            if (sizes[part] > 0 && positions[part] != at) {
                return false;
            }
            at += Math.max(0, sizes[part]);
        }
        return at == end;
    }

    /** The position of a part in its unit, and its stored size. */
    record StoredPart(long position, int size) {
        /** A part that was left out. */
        static final StoredPart OMITTED = new StoredPart(UnitForm.OMITTED, 0);

        /** A part that takes no bytes, in a unit that must exist. */
        static final StoredPart EMPTY = new StoredPart(0, 0);
    }
}
