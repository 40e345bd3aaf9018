package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import io.tiledb.java.api.Layout;
import io.tiledb.java.api.Query;
import io.tiledb.java.api.QueryStatus;
import io.tiledb.java.api.QueryType;
import io.tiledb.java.api.SubArray;
import io.tiledb.java.api.TileDBError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes tiles, each as a fragment of its own. */
final class TileDbWriter implements ArrayWriter {
    /** What a query takes in addition to tiles. */
    private static final long QUERY = 4 << 20;

    /** What the library holds of an open array. */
    private static final long ARRAY = 4 << 20;

    private final String name;
    private final Native context;
    private final OpenArray array;
    private final ArraySpec spec;
    private final Commit commit;
    private boolean closed;
    private int writing;

    /** Makes the array exist. */
    interface Commit {
        void run() throws IOException;
    }

    /** Creates a writer; closing it closes the array and the context. */
    TileDbWriter(String name, Native context, OpenArray array, ArraySpec spec, Commit commit) {
        this.name = name;
        this.context = context;
        this.array = array;
        this.spec = spec;
        this.commit = commit;
    }

    /** {@return how an array is written: a tile in the order of its cells, and one with filters, for each thread} */
    static WriteTraits traits(ArraySpec spec) {
        return WriteTraits.PLAIN
                .withNativeBytes(QUERY + 3 * TileDbReader.tileBytes(spec))
                .withHeldBytes(ARRAY);
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public WriteTraits traits() {
        return traits(spec);
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        begin();
        try (SubArray part = new SubArray(context, array);
                Query query = new Query(array, QueryType.TILEDB_WRITE)) {
            long[] starts = TileDbSpec.starts(spec);
            for (int axis = 0; axis < starts.length; axis++) {
                part.addRange(axis, starts[axis] + unit.start(axis), starts[axis] + unit.end(axis) - 1, null);
            }
            if (starts.length == 0) {
                part.addRange(0, 0L, 0L, null);
            }
            query.setLayout(Layout.TILEDB_ROW_MAJOR);
            query.setSubarray(part);
            // The engine writes from direct buffers; others are those of tests and small arrays.
            ByteBuffer direct = data.isDirect()
                    ? data.slice()
                    : ByteBuffer.allocateDirect(data.remaining())
                            .put(data.duplicate())
                            .flip();
            query.setDataBuffer("", direct.order(ByteOrder.nativeOrder()));
            QueryStatus status = query.submit();
            if (status != QueryStatus.TILEDB_COMPLETED) {
                throw new StoreException(name + ", elements " + unit + ": TileDB did not write the tile: " + status);
            }
        } catch (TileDBError e) {
            throw Native.writeFailure(name + ", elements " + unit, e);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        if (closed) {
            throw new IllegalStateException("the writer of " + name + " is closed");
        }
        writing++;
    }

    private synchronized void end() {
        writing--;
        if (closed && writing == 0) {
            release();
        }
    }

    @Override
    public void commit() throws IOException {
        commit.run();
    }

    /** Closes the array, once no thread writes to it. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (writing == 0) {
                release();
            }
        }
    }

    private void release() {
        array.close();
        context.close();
    }
}
