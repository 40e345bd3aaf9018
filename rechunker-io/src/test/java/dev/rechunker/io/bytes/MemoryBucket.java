package dev.rechunker.io.bytes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A bucket in memory, for tests. It lists the requests. */
public final class MemoryBucket implements Bucket {
    private final String name;
    private final ConcurrentSkipListMap<String, byte[]> values = new ConcurrentSkipListMap<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    /** Creates an empty bucket. */
    public MemoryBucket(String name) {
        this.name = name;
    }

    /** {@return the values by their keys} */
    public SortedMap<String, byte[]> values() {
        return values;
    }

    /** {@return the requests so far: GET, PUT or LIST, and the key} */
    public Queue<String> requests() {
        return requests;
    }

    @Override
    public String name() {
        return "memory://" + name;
    }

    @Override
    public String identity() {
        return name();
    }

    @Override
    public long requestBytes() {
        return 0;
    }

    @Override
    public int mostParts() {
        return 1000;
    }

    @Override
    public Optional<RangeSource.Answer> get(String named, String key, Span span, Retries retries) {
        requests.add("GET " + key);
        return Optional.ofNullable(values.get(key)).map(value -> {
            long from = span.from() < 0 ? Math.max(0, value.length - span.length()) : span.from();
            long to = span.from() < 0 ? value.length : from + Math.min(span.length(), Math.max(0, value.length - from));
            int length = (int) (to - from);
            return new Part(value.length, from, to, new ByteArrayInputStream(value, (int) from, length));
        });
    }

    private record Part(long size, long start, long end, InputStream body) implements RangeSource.Answer {
        @Override
        public @Nullable String tag() {
            return null;
        }

        @Override
        public void abandon() {}
    }

    private static byte[] bytes(List<ByteBuffer> value) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer : value) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    @Override
    public void put(String key, List<ByteBuffer> value) {
        requests.add("PUT " + key);
        values.put(key, bytes(value));
    }

    @Override
    public PutNew putNew(String key, List<ByteBuffer> value) {
        requests.add("PUT " + key);
        return values.putIfAbsent(key, bytes(value)) == null ? PutNew.STORED : PutNew.EXISTS;
    }

    @Override
    public Upload<byte[]> upload(String key) {
        return new Upload<>(name() + "/" + key) {
            @Override
            protected byte[] send(int number, List<ByteBuffer> part, byte @Nullable [] earlier) {
                requests.add("PUT " + key);
                return bytes(part);
            }

            @Override
            protected void join(List<byte[]> parts) {
                requests.add("PUT " + key);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                parts.forEach(all::writeBytes);
                values.put(key, all.toByteArray());
            }

            @Override
            protected void discard(List<byte[]> parts) {}
        };
    }

    @Override
    public void list(String prefix, boolean isFlat, Pages pages) throws IOException {
        requests.add("LIST " + prefix);
        TreeSet<String> keys = new TreeSet<>();
        TreeSet<String> prefixes = new TreeSet<>();
        for (String key : values.tailMap(prefix).keySet()) {
            if (!key.startsWith(prefix)) {
                break;
            }
            int slash = isFlat ? key.indexOf('/', prefix.length()) : -1;
            if (slash < 0) {
                keys.add(key);
            } else {
                prefixes.add(key.substring(0, slash + 1));
            }
        }
        pages.accept(List.copyOf(keys), List.copyOf(prefixes));
    }

    @Override
    public void delete(List<String> keys) {
        keys.forEach(values::remove);
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return Arrays.toString(values.keySet().toArray());
    }
}
