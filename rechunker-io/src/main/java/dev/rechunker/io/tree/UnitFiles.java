package dev.rechunker.io.tree;

import dev.rechunker.array.NodePaths;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.EncodedTraits;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.Failures;
import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The write units of one array, each a value under a key of its own. Counts the bytes that pass, and gives errors the
 * names of array and unit. For any number of threads at once.
 */
public abstract class UnitFiles {
    /** The most bytes that are copied at once when an encoded unit is. */
    private static final int PIECE = 1 << 18;

    private final LongAdder storedBytes = new LongAdder();
    private final KeyStore store;
    private final String path;
    private volatile boolean closed;

    /** Creates the files of the array at a path. */
    protected UnitFiles(KeyStore store, String path) {
        this.store = store;
        this.path = path;
    }

    /** {@return where they are} */
    public final KeyStore store() {
        return store;
    }

    /** {@return where in the store the array is} */
    public final String path() {
        return path;
    }

    /** {@return the array, for messages} */
    public final String name() {
        return NodePaths.inStore(store.name(), path);
    }

    /** {@return the key in the store of what has a key relative to the array} */
    protected final String absolute(String key) {
        return NodePaths.below(path, key);
    }

    /** {@return a unit for reading, or empty if it was never written} */
    public final Optional<ByteSource> open(String key) throws IOException {
        return open(key, Span.ALL);
    }

    /** {@return a unit of which a part is read first, or empty if it was never written} */
    public final Optional<ByteSource> open(String key, Span first) throws IOException {
        requireOpen();
        try {
            return store.open(key, first).map(source -> new Counted(source, storedBytes));
        } catch (IOException e) {
            throw explain(key, e);
        }
    }

    /** {@return a unit as it is stored} */
    public final EncodedUnit encoded(String key, ByteSource source) {
        return new Encoded(this, key, source);
    }

    /** {@return a sink for a unit, which takes {@link #sinkScratch} from the scratch} */
    public final ByteSink create(String key, Scratch scratch) throws IOException {
        return store.create(key, mostStored(), scratch);
    }

    /** {@return what a sink for a unit takes from the scratch, at most} */
    public final long sinkScratch() {
        return store.sinkScratch(mostStored());
    }

    /** {@return what {@link #copy} takes, at most} */
    public final EncodedTraits copyTraits() {
        return new EncodedTraits(copyPiece() + sinkScratch(), store.sourceBytes());
    }

    /** Writes a unit that is encoded already. */
    public final void copy(String key, EncodedUnit encoded, Scratch scratch) throws IOException {
        if (store.sinkScratch(encoded.size()) > sinkScratch()) {
            throw refuse(key, "it has " + encoded.size() + " bytes, but takes at most " + mostStored());
        }
        ByteBuffer piece = scratch.take(copyPiece());
        try (ByteSink sink = store.create(key, encoded.size(), scratch)) {
            for (long at = 0; at < encoded.size(); at += piece.capacity()) {
                piece.clear().limit((int) Math.min(piece.capacity(), encoded.size() - at));
                encoded.read(at, piece);
                sink.write(at, piece.flip());
            }
            sink.commit();
            stored(encoded.size());
        } catch (IOException e) {
            throw explain(key, e);
        }
    }

    /** Removes a unit, if there is one. */
    final void delete(String key) throws IOException {
        try {
            store.delete(key);
        } catch (IOException e) {
            throw explain(key, e);
        }
    }

    /** {@return the key in the store of the write unit that holds a region's origin} */
    public abstract String key(Region region);

    /** {@return what two arrays have in common if the stored bytes of a write unit mean the same in both} */
    public abstract String identity();

    /** {@return the most bytes that a write unit takes as it is stored} */
    protected abstract long mostStored();

    /** {@return the size of the pieces in which an encoded unit is copied} */
    private int copyPiece() {
        return (int) Math.max(1, Math.min(PIECE, mostStored()));
    }

    /** Notes bytes that have been written. */
    public final void stored(long bytes) {
        storedBytes.add(bytes);
    }

    /** {@return the bytes read or written by now, as they are stored} */
    public final long storedBytes() {
        return storedBytes.sum();
    }

    /** {@return a refusal of what is stored under a key} */
    public final StoreException refuse(String key, String what) {
        return new StoreException(name() + ", chunk " + key + ": " + what);
    }

    /** {@return the exception with the names of array and chunk; whether to try again stays as it was} */
    public final IOException explain(String key, IOException e) {
        String named = name() + ", chunk " + key + ": ";
        String message = named + Failures.reason(e);
        boolean explained = String.valueOf(e.getMessage()).startsWith(named);
        if (explained || e instanceof InterruptedIOException || e instanceof ClosedChannelException) {
            return e;
        }
        return e instanceof StoreException || e instanceof EOFException
                ? new StoreException(message, e)
                : new IOException(message, e);
    }

    /** Refuses what one buffer cannot hold; {@code what} is of so many bytes. */
    public static void requireBuffer(String name, String what, long bytes) throws StoreException {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new StoreException(
                    name + " has " + what + " of " + bytes + " bytes; one buffer holds " + (Integer.MAX_VALUE - 8));
        }
    }

    /**
     * Refuses a region that is not exactly one cell of a grid.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static void requireUnit(ChunkGrid grid, Region region) {
        if (region.rank() != grid.rank()) {
            throw new IllegalArgumentException(
                    region + " has " + region.rank() + " axes, but the array " + grid.rank());
        }
        for (int axis = 0; axis < grid.rank(); axis++) {
            long index = region.start(axis) / grid.axis(axis).step();
            if (region.extent(axis) == 0
                    || index >= grid.axis(axis).count()
                    || region.start(axis) != grid.axis(axis).start(index)
                    || region.end(axis) != grid.axis(axis).end(index)) {
                throw new IllegalArgumentException(region + " is not one of " + grid);
            }
        }
    }

    /**
     * Refuses a buffer that has not exactly room for a region.
     *
     * @throws IllegalArgumentException if it has not
     */
    public static void requireRemaining(ByteBuffer buffer, Region region, long bytes) {
        if (buffer.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "the buffer has " + buffer.remaining() + " bytes, but " + region + " takes " + bytes);
        }
    }

    /**
     * Refuses to go on after {@link #close}.
     *
     * @throws IllegalStateException if it was called
     */
    public final void requireOpen() {
        if (closed) {
            throw new IllegalStateException(name() + " was closed");
        }
    }

    /** Ends the use of the files. */
    public void close() {
        closed = true;
    }

    /** A source that adds up what is read from it. */
    private record Counted(ByteSource source, LongAdder bytes) implements ByteSource {
        @Override
        public long size() {
            return source.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            bytes.add(target.remaining());
            source.read(offset, target);
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }

    /** A write unit as it is stored. */
    private record Encoded(UnitFiles files, String key, ByteSource source) implements EncodedUnit {
        @Override
        public long size() {
            return source.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            try {
                source.read(offset, target);
            } catch (EOFException e) {
                throw e; // the caller asked for too much
            } catch (IOException e) {
                throw files.explain(key, e);
            }
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }
}
