package dev.rechunker.io.tiledb;

import dev.rechunker.geometry.Partition;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.PointerUtils;
import io.tiledb.libtiledb.SWIGTYPE_p_p_tiledb_fragment_info_t;
import io.tiledb.libtiledb.SWIGTYPE_p_tiledb_fragment_info_t;
import io.tiledb.libtiledb.SWIGTYPE_p_unsigned_int;
import io.tiledb.libtiledb.int8_tArray;
import io.tiledb.libtiledb.tiledb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/**
 * The fragments of an array: what each write has left.
 *
 * @param count the number of fragments
 * @param depth the most fragments that have parts of the same tile, which a query holds together; 1 if there are none
 */
record Fragments(long count, int depth) {
    /** The most tiles of which the fragments are counted one by one. */
    private static final int MOST_TILES = 1 << 20;

    /** The most fragments that are assumed to have parts of one tile if they are not counted. */
    private static final int MOST_UNKNOWN = 8;

    /** The most counts that are made. */
    private static final long MOST_COUNTS = 1 << 26;

    /** {@return the fragments of an array of which each tile is written once, or again after an interruption} */
    static Fragments ofTiles(long count) {
        return new Fragments(count, 2);
    }

    /** {@return the fragments of an array} Those that were written after the time that is read count, too. */
    static Fragments of(Native context, Path directory, List<DomainAxis> axes) throws TileDBError {
        try (Info info = new Info(context, OpenArray.uri(directory))) {
            return new Fragments(info.count, info.count < 2 ? 1 : depth(info, info.count, axes));
        }
    }

    private static int depth(Info info, long count, List<DomainAxis> axes) throws TileDBError {
        double tiles = 1;
        for (DomainAxis axis : axes) {
            tiles *= axis.partition().count();
        }
        int most = (int) Math.min(count, MOST_UNKNOWN);
        if (tiles > MOST_TILES || tiles == 0) {
            return tiles == 0 ? 1 : most;
        }
        int[] counts = new int[(int) tiles];
        long made = 0;
        int depth = 1;
        int rank = axes.size();
        long[] first = new long[rank];
        long[] last = new long[rank];
        for (long fragment = 0; fragment < count; fragment++) {
            for (int axis = 0; axis < rank; axis++) {
                info.range(fragment, axis, axes.get(axis), first, last);
            }
            long[] at = first.clone();
            boolean isMore = true;
            while (isMore) {
                int tile = 0;
                for (int axis = 0; axis < rank; axis++) {
                    tile = (int) (tile * axes.get(axis).partition().count() + at[axis]);
                }
                depth = Math.max(depth, ++counts[tile]);
                if (++made > MOST_COUNTS) {
                    return most;
                }
                isMore = next(at, first, last);
            }
        }
        return depth;
    }

    /** Moves to the next index of a box; {@return false if there is none} */
    private static boolean next(long[] at, long[] first, long[] last) {
        for (int axis = at.length - 1; axis >= 0; axis--) {
            if (++at[axis] <= last[axis]) {
                return true;
            }
            at[axis] = first[axis];
        }
        return false;
    }

    /** What the library says of fragments, without opening the array for each of them. */
    private static final class Info implements AutoCloseable {
        private final Native context;
        private final SWIGTYPE_p_p_tiledb_fragment_info_t info = tiledb.new_tiledb_fragment_info_tpp();
        private final int8_tArray range = new int8_tArray(2 * Long.BYTES);
        private final long count;

        Info(Native context, String uri) throws TileDBError {
            this.context = context;
            context.check(tiledb.tiledb_fragment_info_alloc(context.pointer(), uri, info));
            SWIGTYPE_p_unsigned_int found = tiledb.new_uintp();
            try {
                context.check(tiledb.tiledb_fragment_info_load(context.pointer(), pointer()));
                context.check(tiledb.tiledb_fragment_info_get_fragment_num(context.pointer(), pointer(), found));
                count = tiledb.uintp_value(found);
            } catch (TileDBError e) {
                close();
                throw e;
            } finally {
                tiledb.delete_uintp(found);
            }
        }

        private SWIGTYPE_p_tiledb_fragment_info_t pointer() {
            return tiledb.tiledb_fragment_info_tpp_value(info);
        }

        @Override
        public void close() {
            tiledb.tiledb_fragment_info_free(info);
            tiledb.delete_tiledb_fragment_info_tpp(info);
            range.delete();
        }

        /** Finds the tiles of a fragment along an axis. */
        void range(long fragment, int number, DomainAxis axis, long[] first, long[] last) throws TileDBError {
            context.check(tiledb.tiledb_fragment_info_get_non_empty_domain_from_index(
                    context.pointer(), pointer(), fragment, number, PointerUtils.toVoid(range)));
            int size = tiledb.tiledb_datatype_size(axis.type()).intValue();
            Partition partition = axis.partition();
            first[number] = tile(partition, coordinate(0, size, axis));
            last[number] = tile(partition, coordinate(size, size, axis));
        }

        private static long tile(Partition axis, long index) {
            return axis.indexOf(Math.max(0, Math.min(index, axis.length() - 1)));
        }

        /** {@return the index of a coordinate; its bytes may be signed or not, which makes no difference to it} */
        private long coordinate(int at, int size, DomainAxis axis) {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < size; i++) {
                bytes.put(i, range.getitem(at + i));
            }
            int unused = Long.SIZE - Byte.SIZE * size;
            long difference = bytes.getLong(0) - axis.start();
            return difference << unused >>> unused;
        }
    }
}
