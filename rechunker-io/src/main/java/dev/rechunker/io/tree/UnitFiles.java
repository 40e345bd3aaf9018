package dev.rechunker.io.tree;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * The write units of one array, each a value under a key of its own. Counts the bytes that are read and written, and
 * adds the names of array and unit to errors. May be used by any number of threads at the same time.
 */
public abstract class UnitFiles {
    /** The maximum number of bytes of an encoded unit that are copied at once. */
    private static final int PIECE = 1 << 18;

    private static final Span FIRST = new Span(0, 1);

    private final LongAdder storedBytes = new LongAdder();
    private final KeyStore store;
    private final String path;
    private volatile boolean closed;

    /** Creates an object for the units of the array at a path. */
    protected UnitFiles(KeyStore store, String path) {
        this.store = store;
        this.path = path;
    }

    /** {@return the key store} */
    public final KeyStore store() {
        return store;
    }

    /** {@return the path of the array in the store} */
    public final String path() {
        return path;
    }

    /** {@return the name of the array, for messages} */
    public final String name() {
        return NodePaths.inStore(store.name(), path);
    }

    /** {@return the key in the store for a key relative to the array} */
    protected final String absolute(String key) {
        return NodePaths.below(path, key);
    }

    /** {@return a unit, for reading; empty if it was never written} */
    public final Optional<ByteSource> open(String key) throws IOException {
        return open(key, Span.ALL);
    }

    /**
     * {@return a unit, for reading; empty if it was never written}
     *
     * @param first the bytes that will be read first
     */
    public final Optional<ByteSource> open(String key, Span first) throws IOException {
        requireOpen();
        try {
            return store.open(key, first).map(source -> new Counted(source, storedBytes));
        } catch (IOException e) {
            throw explain(key, e);
        }
    }

    /**
     * {@return the size of the units of a grid} Each is looked up by one request. Of many units some are looked up,
     * spread over the grid, and the others are taken to be as small in proportion to their elements.
     *
     * @param most the most units that are looked up, at least 1
     */
    public final StoredSize size(ChunkGrid units, long most) throws IOException {
        long count = units.count();
        long step = Math.max(1, count / most + Long.signum(count % most));
        long looked = count / step + Long.signum(count % step);
        Random random = new Random(1);
        long bytes = 0;
        double elements = 0;
        for (long i = 0; i < looked; i++) {
            long after = step == 1 ? 0 : random.nextLong(Math.min(step, count - i * step));
            Region unit = units.regionAt(i * step + after);
            elements += unit.elements();
            try (ByteSource source = open(key(unit), FIRST).orElse(null)) {
                bytes += source == null ? 0 : source.size();
            }
        }
        return step == 1
                ? new StoredSize(bytes, false)
                : new StoredSize(Math.round(bytes / elements * units.shape().elements()), true);
    }

    /** {@return a unit in its stored, encoded form} */
    public final EncodedUnit encoded(String key, ByteSource source) {
        return new Encoded(this, key, source);
    }

    /** {@return a sink for a unit, which takes {@link #sinkScratch} bytes of the scratch memory} */
    public final ByteSink create(String key, Scratch scratch) throws IOException {
        return store.create(key, maxStoredBytes(), scratch);
    }

    /** {@return the bytes of scratch memory that a sink for a unit takes at most} */
    public final long sinkScratch() {
        return store.sinkScratch(maxStoredBytes());
    }

    /** {@return a part of a unit in its stored, encoded form, which closes the source of the unit} */
    public final EncodedUnit encoded(String key, ByteSource source, long offset, long size) {
        return new Encoded(this, key, new Part(source, offset, size));
    }

    /**
     * {@return the memory that {@link #copy} takes at most}
     *
     * @param identity what identifies the encoding
     */
    public final EncodedTraits copyTraits(String identity) {
        return EncodedTraits.of(identity)
                .withScratchBytes(copyPiece() + sinkScratch())
                .withNativeBytes(store.sourceBytes());
    }

    /** Writes a unit that is already encoded. */
    public final void copy(String key, EncodedUnit encoded, Scratch scratch) throws IOException {
        copy(key, ByteBuffer.allocate(0), encoded, scratch);
    }

    /** Writes a unit that consists of some bytes and others that are already encoded. */
    public final void copy(String key, ByteBuffer first, EncodedUnit encoded, Scratch scratch) throws IOException {
        long size = first.remaining() + encoded.size();
        if (store.sinkScratch(size) > sinkScratch()) {
            throw refuse(key, "it has " + size + " encoded bytes, but a chunk may have at most " + maxStoredBytes());
        }
        ByteBuffer piece = piece(scratch);
        try (ByteSink sink = store.create(key, size, scratch)) {
            int start = first.remaining();
            if (start > 0) {
                sink.write(0, first);
            }
            append(encoded, sink, start, piece);
            sink.commit();
            addStoredBytes(size);
        } catch (IOException e) {
            throw explain(key, e);
        }
    }

    /** {@return the memory with which {@link #append} copies} */
    public final ByteBuffer piece(Scratch scratch) {
        return scratch.take(copyPiece());
    }

    /** Copies encoded bytes to a position of a sink, piece by piece. */
    public static void append(EncodedUnit encoded, ByteSink sink, long position, ByteBuffer piece) throws IOException {
        for (long at = 0; at < encoded.size(); at += piece.capacity()) {
            piece.clear().limit((int) Math.min(piece.capacity(), encoded.size() - at));
            encoded.read(at, piece);
            sink.write(position + at, piece.flip());
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

    /** {@return the key in the store of the write unit that contains the origin of a region} */
    public abstract String key(Region region);

    /**
     * {@return a text that is equal for two arrays if the same stored bytes of a write unit mean the same elements in
     * both}
     */
    public abstract String identity();

    /** {@return the maximum number of bytes of a stored write unit} */
    protected abstract long maxStoredBytes();

    /** {@return the size, in bytes, of the pieces in which an encoded unit is copied} */
    private int copyPiece() {
        return (int) Math.max(1, Math.min(PIECE, maxStoredBytes()));
    }

    /** Adds bytes that have been written to {@link #storedBytes}. */
    public final void addStoredBytes(long bytes) {
        storedBytes.add(bytes);
    }

    /** {@return the number of stored bytes that have been read or written so far} */
    public final long storedBytes() {
        return storedBytes.sum();
    }

    /** {@return an exception for an invalid stored unit} */
    public final StoreException refuse(String key, String what) {
        return new StoreException(name() + ", chunk " + key + ": " + what + cause());
    }

    /** {@return what else than damage may be the cause of a chunk that cannot be decoded, for the end of messages} */
    protected String cause() {
        return "";
    }

    /** {@return an exception with the names of array and chunk, of the same kind: fatal, or worth another attempt} */
    public final IOException explain(String key, IOException e) {
        String named = name() + ", chunk " + key + ": ";
        String reason = StoreException.reason(e);
        String message = named + reason + (reason.endsWith(cause()) ? "" : cause());
        boolean explained = String.valueOf(e.getMessage()).startsWith(named);
        if (explained || e instanceof InterruptedIOException || e instanceof ClosedChannelException) {
            return e;
        }
        return e instanceof StoreException || e instanceof EOFException
                ? new StoreException(message, e)
                : new IOException(message, e);
    }

    /**
     * Refuses data that are too large for one buffer.
     *
     * @param what the name of the data, in the plural, for the message
     * @param bytes the size of one of them
     */
    public static void requireBuffer(String name, String what, long bytes) throws StoreException {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new StoreException(name + " has " + what + " of " + bytes + " bytes, but a buffer has at most "
                    + (Integer.MAX_VALUE - 8));
        }
    }

    /**
     * Refuses a region that is not exactly one cell of a grid.
     *
     * @throws IllegalArgumentException if the region is not one cell
     */
    public static void requireUnit(ChunkGrid grid, Region region) {
        if (region.rank() != grid.rank()) {
            throw new IllegalArgumentException(
                    region + " has " + region.rank() + " axes, but the array has " + grid.rank());
        }
        for (int axis = 0; axis < grid.rank(); axis++) {
            Partition along = grid.axis(axis);
            long start = region.start(axis);
            if (region.extent(axis) == 0
                    || start >= along.length()
                    || start != along.start(along.indexOf(start))
                    || region.end(axis) != along.end(along.indexOf(start))) {
                throw new IllegalArgumentException(region + " is not a cell of " + grid);
            }
        }
    }

    /**
     * Refuses a buffer whose remaining bytes are not exactly those of a region.
     *
     * @throws IllegalArgumentException if the buffer has another size
     */
    public static void requireRemaining(ByteBuffer buffer, Region region, long bytes) {
        if (buffer.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "the buffer has " + buffer.remaining() + " bytes, but " + region + " takes " + bytes);
        }
    }

    /**
     * Refuses the use of the files after {@link #close}.
     *
     * @throws IllegalStateException if the files were closed
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

    /** A source that counts the bytes that are read from it. */
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

    /** A part of a unit. */
    private record Part(ByteSource unit, long offset, long size) implements ByteSource {
        @Override
        public void read(long at, ByteBuffer target) throws IOException {
            if (at < 0 || at > size - target.remaining()) {
                throw new EOFException(target.remaining() + " bytes at " + at + " of an encoded chunk of " + size);
            }
            unit.read(offset + at, target);
        }

        @Override
        public void close() throws IOException {
            unit.close();
        }
    }

    /** A stored write unit or chunk, still encoded. */
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
                throw e; // the caller has asked for bytes after the end
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
