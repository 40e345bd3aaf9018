package dev.rechunker.plan;

import com.google.common.math.LongMath;
import java.math.RoundingMode;

/**
 * A spill in an object store. A temporary copy has one value for each slab, or for each region on the way. The value
 * contains the pieces in the order in which they are read back. It is assembled in memory, and each piece is read by
 * one request.
 *
 * @param place the place for messages
 * @param requestBytes the bytes that a request uses outside of any buffer
 * @param partBytes the least size of a part of a value that is larger than two parts
 * @param readBytes the bytes of a response that are read at once
 */
public record RemoteSpill(String place, long requestBytes, long partBytes, int readBytes) {
    /** The most parts of a value: enough for all threads of a process, without paying for more requests. */
    private static final long MOST_PARTS = 128;

    /** {@return the scratch for reading in bytes: a number of whole elements} */
    public long scratchBytes(int itemSize) {
        return Math.max(1, readBytes / itemSize) * (long) itemSize;
    }

    /** {@return the size of the parts of a value in bytes} */
    public long partSize(long valueBytes) {
        return valueBytes / 2 <= partBytes
                ? valueBytes
                : Math.max(partBytes, LongMath.divide(valueBytes, MOST_PARTS, RoundingMode.CEILING));
    }

    /** {@return the number of parts of a value} */
    public int parts(long valueBytes) {
        return (int) LongMath.divide(valueBytes, partSize(valueBytes), RoundingMode.CEILING);
    }

    /** {@return the number of requests to write a value; with several parts, two more than parts} */
    public long putRequests(long valueBytes) {
        int parts = parts(valueBytes);
        return parts == 1 ? 1 : parts + 2L;
    }
}
