package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** An array in a store: what its readers and writers share. */
final class StoredArray {
    private final LongAdder storedBytes = new LongAdder();
    private final KeyStore store;
    private final String path;
    private final Layout layout;
    private final CodecChain chain;
    private volatile boolean closed;

    private StoredArray(KeyStore store, String path, Layout layout, CodecChain chain) {
        this.store = store;
        this.path = path;
        this.layout = layout;
        this.chain = chain;
    }

    /** {@return where it is} */
    KeyStore store() {
        return store;
    }

    /** {@return how its chunks are laid out} */
    Layout layout() {
        return layout;
    }

    /** {@return how they are encoded} */
    CodecChain chain() {
        return chain;
    }

    /** {@return an array, with its codecs ready} */
    static StoredArray open(KeyStore store, String path, Layout layout) throws StoreException {
        String name = name(store, path);
        StoredArray array = new StoredArray(store, path, layout, layout.chain(name));
        try {
            if (!array.chain.isRaw()) {
                requireBuffer(name, "chunks", Math.max(layout.chunkBytes(), array.chain.maxEncodedSize()));
            }
        } catch (ArithmeticException e) {
            throw new StoreException(name + " has chunks of more than 2^63 bytes", e);
        }
        return array;
    }

    static void requireBuffer(String name, String what, long bytes) throws StoreException {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new StoreException(
                    name + " has " + what + " of " + bytes + " bytes; one buffer holds " + (Integer.MAX_VALUE - 8));
        }
    }

    static String name(KeyStore store, String path) {
        return path.isEmpty() ? store.name() : store.name() + "#" + path;
    }

    /** {@return the key in the store of the write unit that holds a region's origin} */
    String key(Region region) {
        String key = layout.key(region);
        return path.isEmpty() ? key : path + "/" + key;
    }

    Optional<ByteSource> openUnit(Region region) throws IOException {
        requireOpen();
        String key = key(region);
        try {
            return store.open(key).map(source -> new Counted(source, storedBytes));
        } catch (IOException e) {
            throw explain(key, e);
        }
    }

    /** Notes bytes that have been written. */
    void stored(long bytes) {
        storedBytes.add(bytes);
    }

    /** {@return the bytes read or written by now, as they are stored} */
    long storedBytes() {
        return storedBytes.sum();
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

    /** {@return a refusal of what is stored under a key} */
    StoreException refuse(String key, String what) {
        return new StoreException(name(store, path) + ", chunk " + key + ": " + what);
    }

    /** {@return the exception with the names of array and chunk; whether to try again stays as it was} */
    IOException explain(String key, IOException e) {
        String named = name(store, path) + ", chunk " + key + ": ";
        String message = named + e.getMessage();
        boolean explained = String.valueOf(e.getMessage()).startsWith(named);
        if (explained || e instanceof InterruptedIOException || e instanceof ClosedChannelException) {
            return e;
        }
        return e instanceof StoreException || e instanceof EOFException
                ? new StoreException(message, e)
                : new IOException(message, e);
    }

    /** {@return the size of the pieces in which an encoded unit is copied} */
    int copyPiece() {
        long most = layout.levels().isEmpty() ? chain.maxEncodedSize() : layout.unitBytes();
        return (int) Math.max(1, Math.min(1 << 18, most));
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(name(store, path) + " was closed");
        }
    }

    void close() {
        if (!closed) {
            closed = true;
            chain.close();
        }
    }

    String identity() {
        return layout.identity(chain);
    }
}
