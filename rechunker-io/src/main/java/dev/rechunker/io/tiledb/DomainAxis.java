package dev.rechunker.io.tiledb;

import dev.rechunker.geometry.Partition;
import dev.rechunker.store.StoreException;
import io.tiledb.java.api.Dimension;
import io.tiledb.java.api.Pair;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.tiledb_datatype_t;
import org.jspecify.annotations.Nullable;

/**
 * A dimension of an array.
 *
 * @param name its name; null if it has none
 * @param type the type of coordinates
 * @param start the coordinate of the first element
 * @param length the number of elements
 * @param tile the extent of tiles
 * @param isUnlimited whether the domain has no end of its own: it ends where coordinates of the type do
 */
record DomainAxis(
        @Nullable String name, tiledb_datatype_t type, long start, long length, long tile, boolean isUnlimited) {
    /** The start of the names that the library gives to dimensions without a name. */
    static final String NO_NAME = "__dim_";

    /** {@return the axis of a dimension} */
    static DomainAxis of(OpenArray array, Dimension<?> dimension, int number, String where)
            throws TileDBError, StoreException {
        tiledb_datatype_t type = tiledb_datatype_t.valueOf(dimension.getType().name());
        String name = dimension.getName();
        if (!(dimension.getDomain().getFirst() instanceof Number first)
                || !(dimension.getDomain().getSecond() instanceof Number last)
                || !(dimension.getTileExtent() instanceof Number tile)) {
            throw new StoreException(where + " has the dimension \"" + name + "\" of type " + type
                    + ", whose coordinates are no integers");
        }
        long start = first.longValue();
        long end = last.longValue();
        boolean isUnlimited = isWide(type) && Long.compareUnsigned(mostCoordinate(type) - end, tile.longValue()) <= 0;
        if (isUnlimited) {
            end = lastWritten(array, number, start, start - 1);
        }
        long length = end - start + 1;
        if (length < 0 || tile.longValue() <= 0) {
            throw new StoreException(where + " has more than 2^63 coordinates along the dimension \"" + name + "\"");
        }
        boolean isNamed = !name.isEmpty() && !name.equals(NO_NAME + number);
        return new DomainAxis(isNamed ? name : null, type, start, length, tile.longValue(), isUnlimited);
    }

    /** {@return the last coordinate of what was written; {@code none} if nothing was} */
    private static long lastWritten(OpenArray array, int number, long start, long none) throws TileDBError {
        Pair<?, ?> written = array.getNonEmptyDomainFromIndex(number);
        return written.getSecond() instanceof Number last && last.longValue() >= start ? last.longValue() : none;
    }

    /** {@return whether coordinates are so large that no array has them all} */
    private static boolean isWide(tiledb_datatype_t type) {
        return switch (type) {
            case TILEDB_INT8, TILEDB_UINT8, TILEDB_INT16, TILEDB_UINT16 -> false;
            default -> true;
        };
    }

    private static long mostCoordinate(tiledb_datatype_t type) {
        return switch (type) {
            case TILEDB_INT32 -> Integer.MAX_VALUE;
            case TILEDB_UINT32 -> 0xffffffffL;
            case TILEDB_UINT64 -> -1; // unsigned
            default -> Long.MAX_VALUE;
        };
    }

    /** {@return the chunks along the axis} */
    Partition partition() {
        return Partition.regular(length, tile);
    }

    /** {@return a coordinate as the library takes it} */
    Object coordinate(long index) {
        long value = start + index;
        return switch (type) {
            case TILEDB_INT8 -> (byte) value;
            case TILEDB_UINT8, TILEDB_INT16 -> (short) value;
            case TILEDB_UINT16, TILEDB_INT32 -> (int) value;
            default -> value;
        };
    }
}
