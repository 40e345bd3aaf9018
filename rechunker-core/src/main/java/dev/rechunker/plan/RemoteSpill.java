package dev.rechunker.plan;

import com.google.common.math.LongMath;
import java.math.RoundingMode;

/**
 * A spill in an object store. A copy has one value for each slab, or for each region on the way: piece after piece in
 * the order of what reads it. It is put together in memory, and a piece is read by one request.
 *
 * @param place where, for people
 * @param requestBytes what one request holds outside of any buffer
 * @param partBytes the least size of the parts of values that are larger than two of them
 * @param readBytes what is taken at once of the answer to a request
 */
public record RemoteSpill(String place, long requestBytes, long partBytes, int readBytes) {
    /** Enough for the threads of a process to put at once; every request has its price. */
    private static final long MOST_PARTS = 128;

    /** {@return the scratch of reading: some whole elements} */
    public long scratchBytes(int itemSize) {
        return Math.max(1, readBytes / itemSize) * (long) itemSize;
    }

    /** {@return the size of the parts of a value} */
    public long partSize(long valueBytes) {
        return valueBytes / 2 <= partBytes
                ? valueBytes
                : Math.max(partBytes, LongMath.divide(valueBytes, MOST_PARTS, RoundingMode.CEILING));
    }

    /** {@return how many parts a value has} */
    public int parts(long valueBytes) {
        return (int) LongMath.divide(valueBytes, partSize(valueBytes), RoundingMode.CEILING);
    }

    /** {@return the requests by which a value is put: of several parts, there are a first and a last one besides} */
    public long putRequests(long valueBytes) {
        int parts = parts(valueBytes);
        return parts == 1 ? 1 : parts + 2L;
    }
}
