package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.LongAdder;

/** Writes the write units of an array to a file that is being written. */
abstract class Hdf5Writer implements ArrayWriter {
    private final String name;
    private final PartFile file;
    private final DatasetSpec array;
    private final Publication publication;
    private final LongAdder storedBytes = new LongAdder();
    private volatile boolean committed;
    private volatile boolean closed;

    /** Publishes a committed array, and is notified when its writer is closed. */
    interface Publication {
        void publish(ElementStorage storage) throws IOException;

        void writerClosed();
    }

    Hdf5Writer(String name, PartFile file, DatasetSpec array, Publication publication) {
        this.name = name;
        this.file = file;
        this.array = array;
        this.publication = publication;
    }

    final PartFile file() {
        return file;
    }

    final DatasetSpec array() {
        return array;
    }

    /** Writes the index of the elements; {@return the location of the elements} */
    abstract ElementStorage writeIndex() throws IOException;

    /** Frees the memory of the writer. */
    abstract void free();

    @Override
    public final ArraySpec spec() {
        return array.spec();
    }

    @Override
    public final void commit() throws IOException {
        requireOpen();
        publication.publish(writeIndex());
        committed = true;
    }

    final void requireOpen() {
        if (closed || committed) {
            throw new IllegalStateException("the writer of " + name + " is " + (closed ? "closed" : "committed"));
        }
    }

    /** {@return the ordinal of a write unit; refuses other regions, and buffers of another size} */
    final int ordinal(Region unit, long bytes) {
        ChunkGrid grid = spec().writeUnits();
        long[] index = unit.origin();
        for (int axis = 0; axis < index.length; axis++) {
            index[axis] /= grid.axis(axis).step();
        }
        if (!grid.region(index).equals(unit)) {
            throw new IllegalArgumentException(unit + " is not a write unit of " + grid);
        }
        long expected = array.unitBytes(unit);
        if (bytes != expected) {
            throw new IllegalArgumentException(
                    "the buffer has " + bytes + " bytes, but " + unit + " takes " + expected);
        }
        return (int) grid.ordinal(index);
    }

    /** Records that bytes have been written. */
    final void recordStored(long bytes) {
        storedBytes.add(bytes);
    }

    @Override
    public final long storedBytesWritten() {
        return storedBytes.sum();
    }

    /**
     * {@return an exception with the names of array and unit in the message; its type says, like that of {@code e},
     * whether a retry makes sense}
     */
    final IOException explain(Region unit, IOException e) {
        return explain(name, unit, e);
    }

    static IOException explain(String name, Region unit, IOException e) {
        if (e instanceof InterruptedIOException || e instanceof ClosedChannelException) {
            return e;
        }
        String message = name + ", chunk " + unit + ": " + StoreException.reason(e);
        return e instanceof StoreException ? new StoreException(message, e) : new IOException(message, e);
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            free();
            publication.writerClosed();
        }
    }
}
