package dev.rechunker.io.file;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A file that is a value of a key store, such as an object in a bucket. Each read is a request for a range of bytes.
 */
public final class KeyedFile implements FileBytes {
    /** The setting of a descriptor with the key of the file. */
    private static final String KEY = "key";

    private final KeyStore keys;
    private final boolean ownsKeys;
    private final String key;
    private final DataPlace place;
    private final long size;
    private final Optional<String> tag;
    private volatile boolean closed;

    private KeyedFile(KeyStore keys, boolean ownsKeys, String key, ByteSource first) throws IOException {
        this.keys = keys;
        this.ownsKeys = ownsKeys;
        this.key = key;
        this.place = keys.place(key);
        this.size = first.size();
        this.tag = first.tag();
    }

    /**
     * {@return the file with a key; closing it closes the key store}
     *
     * @throws StoreException if there is no such value
     */
    public static KeyedFile open(KeyStore keys, String key) throws IOException {
        try (ByteSource first = keys.open(key, new Span(0, 1))
                .orElseThrow(() -> new StoreException(name(keys, key) + " does not exist"))) {
            return new KeyedFile(keys, true, key, first);
        }
    }

    /** {@return the file with a key; empty if there is none. Closing it does not close the key store} */
    static Optional<FileBytes> find(KeyStore keys, String key) throws IOException {
        Optional<ByteSource> found = keys.open(key, new Span(0, 1));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource first = found.get()) {
            return Optional.of(new KeyedFile(keys, false, key, first));
        }
    }

    @Override
    public Optional<FileBytes> beside(String other) throws IOException {
        String directory = key.substring(0, key.lastIndexOf('/') + 1);
        String there = other.startsWith("/") ? other.substring(other.lastIndexOf('/') + 1) : other;
        Deque<String> names = new ArrayDeque<>();
        for (String part : (directory + there).split("/", -1)) {
            if (part.equals("..") && names.pollLast() == null) {
                throw new StoreException(other + " is outside of " + keys.name() + ", and is not read");
            } else if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
                names.add(part);
            }
        }
        return names.isEmpty() ? Optional.empty() : find(keys, String.join("/", names));
    }

    private static String name(KeyStore keys, String key) {
        return keys.name() + "/" + key;
    }

    @Override
    public String name() {
        return name(keys, key);
    }

    @Override
    public DataPlace place() {
        return place;
    }

    @Override
    public Optional<StoreDescriptor> descriptor(String kind) {
        return keys.address().map(address -> StoreDescriptor.of(kind, address).with(KEY, key));
    }

    @Override
    public Optional<Path> localDirectory() {
        return keys.localDirectory();
    }

    @Override
    public boolean isRemote() {
        return keys.isRemote();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long heldBytes() {
        return keys.heldBytes();
    }

    @Override
    public long readingBytes() {
        return keys.sourceBytes();
    }

    @Override
    public ByteSource open(long offset, long length) throws IOException {
        if (closed) {
            throw new ClosedFileException(this);
        }
        if (offset < 0 || length > size - offset) {
            throw new StoreException(name() + " is cut off: it ends at byte " + size + ", but " + length
                    + " bytes are needed at byte " + offset);
        }
        ByteSource source = keys.open(key, new Span(offset, length))
                .orElseThrow(() -> new StoreException(name() + " was deleted while it was read"));
        if (source.size() != size || !source.tag().equals(tag)) {
            source.close();
            throw new StoreException(name() + " was replaced while it was read");
        }
        return source;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (ownsKeys) {
            keys.close();
        }
    }
}
