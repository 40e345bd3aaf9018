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
 * A place for spills in memory that is strict: parts have the size that they should have, a value is put again only if
 * it is the same, is read only in the range that was asked for, front to back; what is opened is closed.
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

    /** Takes parts of a size, and is read in runs of a size. */
    public MemorySpillStore(long partBytes, int readBytes) {
        this.partBytes = partBytes;
        this.readBytes = readBytes;
    }

    /** Lets every n-th request or read fail in passing. */
    public void failEvery(int n) {
        failEvery = n;
    }

    /** Lets no value be completed but the first, by which a run tries the place. */
    public void failCommits() {
        failsCommits = true;
    }

    /** {@return the values that were completed by now, whether new or the same once more} */
    public int puts() {
        return puts.get();
    }

    /** {@return the ranges that were asked for} */
    public int gets() {
        return gets.get();
    }

    /** {@return the names of the values that are there} */
    public Set<String> names() {
        return values.keySet();
    }

    /** Fails if a value is there, or something is open. */
    public void assertNothingIsLeft() {
        assertEquals(Set.of(), Set.copyOf(names()), "values left behind");
        assertEquals(Set.of(), open, "not closed");
    }

    /** Loses a value. */
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
                throw new IllegalStateException("so small a value is put whole");
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
                throw new IllegalStateException(
                        target.remaining() + " bytes at " + offset + " are not next of " + next + " to " + end);
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
