package dev.rechunker.io.hdf5.format;

import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;

/**
 * The beginning of a serialized selection: everything before the numbers of its points or boxes.
 *
 * @param kind {@link #NONE}, {@link #POINTS}, {@link #BOXES} or {@link #ALL}
 * @param isRegular whether boxes are stored as one pattern: start, stride, count and size of blocks for each axis
 * @param width the size of a number in bytes
 * @param rank the number of axes; 0 if the selection has no numbers
 */
public record SelectionHeader(int kind, boolean isRegular, int width, int rank) {
    /** No element. */
    public static final int NONE = 0;

    /** A list of points. */
    public static final int POINTS = 1;

    /** Boxes. */
    public static final int BOXES = 2;

    /** All elements. */
    public static final int ALL = 3;

    /** The number of blocks, or the size of a block, without an end. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int LARGEST_RANK = 32;
    private static final int REGULAR = 1;

    /** {@return the beginning of the selection at the position of a buffer, which is then after it} */
    public static SelectionHeader read(ByteBuffer bytes) throws StoreException {
        int kind = bytes.getInt();
        int version = bytes.getInt();
        boolean isKnown = kind >= NONE && kind <= ALL && version >= 1;
        int latest = kind == BOXES ? 3 : kind == POINTS ? 2 : 1;
        if (!isKnown || version > latest) {
            throw new StoreException("a selection of type " + kind + " and version " + version + " is not supported");
        }
        boolean isRegular = false;
        int width = Integer.BYTES;
        if (version == 1) {
            bytes.getLong();
        } else if (kind == POINTS) {
            width = bytes.get();
        } else {
            isRegular = (bytes.get() & REGULAR) != 0;
            width = version == 2 ? Long.BYTES : bytes.get();
            if (version == 2) {
                bytes.getInt();
            }
        }
        if (kind == NONE || kind == ALL) {
            return new SelectionHeader(kind, false, width, 0);
        }
        int rank = bytes.getInt();
        if (rank < 1 || rank > LARGEST_RANK || (width != 2 && width != Integer.BYTES && width != Long.BYTES)) {
            throw new StoreException(
                    "a selection of " + rank + " axes and numbers of " + width + " bytes is not valid");
        }
        return new SelectionHeader(kind, isRegular, width, rank);
    }

    /** {@return the next number of the selection; {@link #UNLIMITED} if all its bits are set} */
    public long number(ByteBuffer bytes) throws StoreException {
        long value = switch (width) {
            case 2 -> bytes.getShort() & 0xFFFFL;
            case 4 -> bytes.getInt() & 0xFFFFFFFFL;
            default -> bytes.getLong();
        };
        if (value == -1L >>> (Long.SIZE - Byte.SIZE * width)) {
            return UNLIMITED;
        }
        if (value < 0) {
            throw new StoreException(
                    "a selection has the number " + Long.toUnsignedString(value) + ", which is larger than 2^63 - 1");
        }
        return value;
    }

    /** {@return the next position on each axis: that of a point, or the first or the last one of a box} */
    public long[] position(ByteBuffer bytes) throws StoreException {
        long[] position = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            position[axis] = number(bytes);
        }
        return position;
    }

    /**
     * {@return the number of points or boxes of a list}
     *
     * @throws StoreException if there are not as many numbers in the buffer
     */
    public long count(ByteBuffer bytes) throws StoreException {
        long count = number(bytes);
        int numbers = kind == BOXES ? 2 * rank : rank;
        if (count > bytes.remaining() / ((long) numbers * width)) {
            throw new StoreException(
                    "a selection of " + count + (kind == BOXES ? " boxes" : " points") + " ends early");
        }
        return count;
    }
}
