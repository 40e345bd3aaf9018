package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import io.tiledb.java.api.Layout;
import io.tiledb.java.api.Query;
import io.tiledb.java.api.QueryStatus;
import io.tiledb.java.api.QueryType;
import io.tiledb.java.api.SubArray;
import io.tiledb.java.api.TileDBError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Reads the tiles of an attribute, each by a query of its own. The library copies elements into the target. */
final class TileDbReader implements ArrayReader {
    /** What a query takes in addition to tiles. */
    private static final long QUERY = 2 << 20;

    /** What the library holds of an array, and of each fragment. */
    private static final long ARRAY = 4 << 20;

    private static final long FRAGMENT = 8 << 10;

    private final String name;
    private final Native context;
    private final OpenArray array;
    private final String attribute;
    private final List<DomainAxis> axes;
    private final ArraySpec spec;
    private final Fragments fragments;
    private boolean closed;
    private int reading;

    /**
     * Creates a reader; closing it closes the array and the context.
     *
     * @param axes the dimensions of the array
     * @param fragments its fragments
     */
    TileDbReader(
            String name,
            Native context,
            OpenArray array,
            String attribute,
            List<DomainAxis> axes,
            ArraySpec spec,
            Fragments fragments) {
        this.name = name;
        this.context = context;
        this.array = array;
        this.attribute = attribute;
        this.axes = axes;
        this.spec = spec;
        this.fragments = fragments;
    }

    /** {@return what the library is told that a query may take: a tile of each fragment, and one for the result} */
    static long budget(ArraySpec spec, Fragments fragments) {
        return QUERY + Math.multiplyExact(fragments.depth() + 1L, tileBytes(spec));
    }

    static long tileBytes(ArraySpec spec) {
        return Math.multiplyExact(
                spec.chunks().chunkShape().elements(), (long) spec.dataType().itemSize());
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits(spec, fragments);
    }

    /** {@return how an array is read that consists of fragments; tiles are also held as they are stored} */
    static ReadTraits traits(ArraySpec spec, Fragments fragments) {
        return ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withNativeBytes(QUERY + Math.addExact(budget(spec, fragments), fragments.depth() * tileBytes(spec)))
                .withHeldBytes(ARRAY + FRAGMENT * fragments.count());
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        long bytes = region.elements() * spec.dataType().itemSize();
        if (target.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "the buffer has " + target.remaining() + " bytes, but " + region + " takes " + bytes);
        }
        begin();
        try (SubArray part = new SubArray(context, array);
                Query query = new Query(array, QueryType.TILEDB_READ)) {
            for (int axis = 0; axis < axes.size(); axis++) {
                boolean isScalar = axis >= region.rank();
                DomainAxis dimension = axes.get(axis);
                part.addRange(
                        axis,
                        dimension.coordinate(isScalar ? 0 : region.start(axis)),
                        dimension.coordinate(isScalar ? 0 : region.end(axis) - 1),
                        null);
            }
            query.setLayout(Layout.TILEDB_ROW_MAJOR);
            query.setSubarray(part);
            // The engine reads into direct buffers; others are those of tests and small arrays.
            ByteBuffer direct = target.isDirect() ? target.slice() : ByteBuffer.allocateDirect((int) bytes);
            query.setDataBuffer(attribute, direct.order(ByteOrder.nativeOrder()));
            QueryStatus status = query.submit();
            if (status != QueryStatus.TILEDB_COMPLETED) {
                throw new StoreException(
                        name + ", elements " + region + ": TileDB read a part of the tile only: " + status);
            }
            if (!target.isDirect()) {
                target.put(direct.rewind().limit((int) bytes));
            }
            return true;
        } catch (TileDBError e) {
            throw Native.failure(name + ", elements " + region, e);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        if (closed) {
            throw new IllegalStateException("the reader of " + name + " is closed");
        }
        reading++;
    }

    private synchronized void end() {
        reading--;
        if (closed && reading == 0) {
            release();
        }
    }

    /** Closes the array, once no thread reads it. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (reading == 0) {
                release();
            }
        }
    }

    private void release() {
        array.close();
        context.close();
    }
}
