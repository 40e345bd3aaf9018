package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A spill store in memory that detects misuse.
 *
 * <p>It fails if parts of a value differ in size, if a value is replaced by a different one, and if a range is read
 * outside of its bounds or not from front to back. {@link #assertNothingIsLeft} detects what was not closed or deleted.
 */
public final class MemorySpillStore implements SpillStore {
    private final long partBytes;
    private final int readBytes;
    private final NavigableMap<String, byte[]> values = new ConcurrentSkipListMap<>();
    private final Set<Object> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger puts = new AtomicInteger();
    private final AtomicInteger gets = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int failEvery = Integer.MAX_VALUE;
    private volatile boolean failsCommits;

    /**
     * Creates an empty store.
     *
     * @param partBytes the size of parts in bytes
     * @param readBytes the size of reads in bytes
     */
    public MemorySpillStore(long partBytes, int readBytes) {
        this.partBytes = partBytes;
        this.readBytes = readBytes;
    }

    /** Makes every n-th request or read fail with an exception that a retry can resolve. */
    public void failEvery(int n) {
        failEvery = n;
    }

    /** Makes all commits fail except the first, with which a run tests that the store can be written. */
    public void failCommits() {
        failsCommits = true;
    }

    /** {@return the number of values that were committed, including those that replaced an equal value} */
    public int puts() {
        return puts.get();
    }

    /** {@return the number of ranges that were opened} */
    public int gets() {
        return gets.get();
    }

    /** {@return the names of all values} */
    public Set<String> names() {
        return values.keySet();
    }

    /**
     * Checks that the store is empty and everything is closed.
     *
     * @throws AssertionError if a value is left, or something is open
     */
    public void assertNothingIsLeft() {
        assertEquals(Set.of(), Set.copyOf(names()), "values left behind");
        assertEquals(Set.of(), open, "not closed");
    }

    /** Removes a value, as if it was lost. */
    public void lose(String name) {
        values.remove(name);
    }

    private void request(String what) throws IOException {
        if (requests.incrementAndGet() % failEvery == 0) {
            throw new IOException("told to fail " + what);
        }
    }

    @Override
    public String name() {
        return "memory://spill";
    }

    @Override
    public String identity() {
        return "memory-" + System.identityHashCode(this);
    }

    @Override
    public long requestBytes() {
        return 7;
    }

    @Override
    public long partBytes() {
        return partBytes;
    }

    @Override
    public int readBytes() {
        return readBytes;
    }

    @Override
    public Value create(String name, int parts) throws IOException {
        request("create");
        return new Parts(name, parts);
    }

    @Override
    public Optional<EncodedUnit> open(String name, long offset, long length) throws IOException {
        request("open");
        gets.incrementAndGet();
        return Optional.ofNullable(values.get(name)).map(value -> new Range(value, offset, offset + length));
    }

    @Override
    public void delete(String prefix) {
        values.subMap(prefix + "/", prefix + "0").clear();
    }

    private final class Parts implements Value {
        private final String name;
        private final byte[][] parts;
        private final Set<Integer> put = new TreeSet<>();
        private final AtomicLong size = new AtomicLong();

        Parts(String name, int count) {
            this.name = name;
            this.parts = new byte[count][];
            open.add(this);
        }

        @Override
        public void put(int number, List<ByteBuffer> bytes) throws IOException {
            request("put");
            ByteBuffer joined = ByteBuffer.allocate(
                    bytes.stream().mapToInt(ByteBuffer::remaining).sum());
            bytes.forEach(buffer -> joined.put(buffer.duplicate()));
            if (joined.capacity() == 0) {
                throw new IllegalArgumentException("part " + number + " is empty");
            }
            synchronized (put) {
                if (!put.add(number)) {
                    throw new IllegalStateException("part " + number + " was put before");
                }
                parts[number] = joined.array();
                size.addAndGet(joined.capacity());
            }
        }

        @Override
        public void commit() throws IOException {
            request("commit");
            if (failsCommits && puts.get() > 0) {
                throw new IOException("told to fail every commit");
            }
            for (int i = 0; i < parts.length - 1; i++) {
                if (parts[i].length != parts[0].length) {
                    throw new IllegalStateException("parts of different sizes");
                }
            }
            if (parts.length > 1 && size.get() <= 2 * partBytes) {
                throw new IllegalStateException("a value of " + size.get() + " bytes must be put in one part");
            }
            ByteBuffer joined = ByteBuffer.allocate((int) size.get());
            for (byte[] part : parts) {
                joined.put(part);
            }
            byte[] before = values.put(name, joined.array());
            if (before != null && !Arrays.equals(before, joined.array())) {
                throw new IllegalStateException(name + " was put before with other bytes");
            }
            open.remove(this);
            puts.incrementAndGet();
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    private final class Range implements EncodedUnit {
        private final byte[] value;
        private long next;
        private final long end;

        Range(byte[] value, long start, long end) {
            this.value = value;
            this.next = start;
            this.end = end;
            open.add(this);
        }

        @Override
        public long size() {
            return value.length;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            if (offset != next || offset + target.remaining() > end) {
                throw new IllegalStateException(target.remaining() + " bytes at " + offset
                        + " are read, but the next are " + next + " to " + end);
            }
            request("read");
            next += target.remaining();
            target.put(value, (int) offset, target.remaining());
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }
}
