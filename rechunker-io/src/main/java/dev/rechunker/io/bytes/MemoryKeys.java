package dev.rechunker.io.bytes;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

/**
 * Values in memory, for tests and for data that one process both writes and reads.
 *
 * <p>The memory of the values is the caller's and counted nowhere, as with {@link dev.rechunker.store.MemoryStore}.
 */
public final class MemoryKeys implements KeyStore {
    private static final int PART = 1 << 20;

    private final String identity = "memory:" + UUID.randomUUID();
    private final NavigableMap<String, byte[]> values = new ConcurrentSkipListMap<>();

    /** Creates an empty store. */
    public MemoryKeys() {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public boolean readsParts() {
        return true;
    }

    @Override
    public long sourceBytes() {
        return 0;
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        Keys.check(name(), key);
        return Optional.ofNullable(values.get(key))
                .map(value -> new MemorySource("memory/" + key, ByteBuffer.wrap(value)));
    }

    @Override
    public Listing list(String prefix) throws IOException {
        Keys.checkPrefix(name(), prefix);
        TreeSet<String> found = new TreeSet<>();
        TreeSet<String> directories = new TreeSet<>();
        String start = prefix.isEmpty() ? "" : prefix + "/";
        for (String key : below(start).keySet()) {
            int slash = key.indexOf('/', start.length());
            (slash < 0 ? found : directories).add(key.substring(start.length(), slash < 0 ? key.length() : slash));
        }
        return new Listing(found.stream().toList(), directories.stream().toList());
    }

    @Override
    public void put(String key, ByteBuffer value) throws IOException {
        Keys.check(name(), key);
        values.put(key, copy(value));
    }

    @Override
    public boolean putNew(String key, ByteBuffer value) throws IOException {
        Keys.check(name(), key);
        return values.putIfAbsent(key, copy(value)) == null;
    }

    @Override
    public ByteSink create(String key, long most, Scratch scratch) throws IOException {
        Keys.check(name(), key);
        return new Sink(key);
    }

    @Override
    public long partBytes() {
        return PART;
    }

    @Override
    public SpillStore.Value createInParts(String key, int parts) throws IOException {
        Keys.check(name(), key);
        return new Parts(key, parts);
    }

    @Override
    public void delete(String key) throws IOException {
        Keys.check(name(), key);
        values.remove(key);
    }

    @Override
    public void deleteTree(String prefix) throws IOException {
        Keys.check(name(), prefix);
        values.remove(prefix);
        below(prefix + "/").clear();
    }

    @Override
    public void deleteBelow(String prefix, Predicate<String> names) throws IOException {
        Keys.checkPrefix(name(), prefix);
        String start = prefix.isEmpty() ? "" : prefix + "/";
        for (Iterator<String> keys = below(start).keySet().iterator(); keys.hasNext(); ) {
            if (Keys.allParts(keys.next().substring(start.length()), names)) {
                keys.remove();
            }
        }
    }

    private NavigableMap<String, byte[]> below(String start) {
        return values.subMap(start, true, start + Character.MAX_VALUE, false);
    }

    private static byte[] copy(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return bytes;
    }

    /** A value in parts, which are joined at the commit. */
    private final class Parts implements SpillStore.Value {
        private final String key;
        private final AtomicReferenceArray<byte[]> parts;
        private volatile boolean closed;

        Parts(String key, int count) {
            this.key = key;
            this.parts = new AtomicReferenceArray<>(count);
        }

        @Override
        public void put(int number, List<ByteBuffer> bytes) {
            requireOpen();
            parts.set(number, joined(bytes));
        }

        @Override
        public void commit() {
            requireOpen();
            List<ByteBuffer> all = new ArrayList<>();
            for (int i = 0; i < parts.length(); i++) {
                byte[] part = parts.get(i);
                if (part == null) {
                    throw new IllegalStateException("memory/" + key + " lacks part " + i);
                }
                all.add(ByteBuffer.wrap(part));
            }
            values.put(key, joined(all));
        }

        private void requireOpen() {
            if (closed) {
                throw new IllegalStateException("memory/" + key + " was closed");
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static byte[] joined(List<ByteBuffer> bytes) {
        ByteBuffer joined = ByteBuffer.allocate(
                bytes.stream().mapToInt(ByteBuffer::remaining).sum());
        bytes.forEach(part -> joined.put(part.duplicate()));
        return joined.array();
    }

    /** A value whose array grows as bytes are written. */
    private final class Sink implements ByteSink {
        private final String key;
        private byte[] value = new byte[0];
        private int size;

        Sink(String key) {
            this.key = key;
        }

        @Override
        public void write(long position, ByteBuffer bytes) {
            int end = Math.toIntExact(position + bytes.remaining());
            if (end > value.length) {
                value = Arrays.copyOf(value, (int) Math.max(end, Math.min(2L * value.length, Integer.MAX_VALUE - 8)));
            }
            bytes.get(value, (int) position, bytes.remaining());
            size = Math.max(size, end);
        }

        @Override
        public void commit() {
            values.put(key, Arrays.copyOf(value, size));
        }

        @Override
        public void close() {}
    }
}
