package dev.rechunker.testing;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A decorator of a store that counts reads by chunk, writes by unit, bytes, and operations at the same time.
 *
 * <p>Failed operations are counted, too. Reading an encoded unit counts as a read of its first chunk, and writing one
 * as a write.
 */
public final class CountingStore extends ForwardingStore {
    private final ConcurrentMap<String, ConcurrentMap<Long, LongAdder>> reads = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ConcurrentMap<Long, LongAdder>> writes = new ConcurrentHashMap<>();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder encodedWrites = new LongAdder();
    private final LongAdder partWrites = new LongAdder();
    private final Gauge reading = new Gauge();
    private final Gauge writing = new Gauge();

    /** Creates a decorator of a store with all counts at 0. */
    public CountingStore(ChunkStore delegate) {
        super(delegate);
    }

    /** {@return the number of reads of each chunk of an array, by ordinal; without chunks that were not read} */
    public Map<Long, Long> reads(String path) {
        return snapshot(reads, path);
    }

    /**
     * {@return the number of writes of each write unit of an array, by ordinal; without units that were not written}
     */
    public Map<Long, Long> writes(String path) {
        return snapshot(writes, path);
    }

    /** {@return the number of reads of chunks and parts of chunks, of all arrays} */
    public long reads() {
        return sum(reads);
    }

    /** {@return the number of writes of units, encoded or not, of all arrays} */
    public long writes() {
        return sum(writes);
    }

    /** {@return the number of writes of units that were already encoded, of all arrays} */
    public long encodedWrites() {
        return encodedWrites.sum();
    }

    /** {@return the number of writes of parts of units, of all arrays} */
    public long partWrites() {
        return partWrites.sum();
    }

    /** {@return the bytes of elements that were requested, including those of missing chunks} */
    public long bytesRead() {
        return bytesRead.sum();
    }

    /**
     * {@return the bytes that were passed to writers, including padding; encoded units count with their encoded size}
     */
    public long bytesWritten() {
        return bytesWritten.sum();
    }

    /** {@return the largest number of reads at the same time} */
    public int mostReadsAtOnce() {
        return reading.most.get();
    }

    /** {@return the largest number of writes at the same time} */
    public int mostWritesAtOnce() {
        return writing.most.get();
    }

    private static Map<Long, Long> snapshot(ConcurrentMap<String, ConcurrentMap<Long, LongAdder>> counts, String path) {
        Map<Long, Long> snapshot = new TreeMap<>();
        counts.getOrDefault(path, new ConcurrentHashMap<>()).forEach((ordinal, n) -> snapshot.put(ordinal, n.sum()));
        return Collections.unmodifiableMap(snapshot);
    }

    private static long sum(ConcurrentMap<String, ConcurrentMap<Long, LongAdder>> counts) {
        return counts.values().stream()
                .flatMap(of -> of.values().stream())
                .mapToLong(LongAdder::sum)
                .sum();
    }

    private static void count(
            ConcurrentMap<String, ConcurrentMap<Long, LongAdder>> counts, String path, ChunkGrid grid, Region region) {
        long ordinal = grid.ordinal(grid.chunksTouching(region).origin());
        counts.computeIfAbsent(path, p -> new ConcurrentHashMap<>())
                .computeIfAbsent(ordinal, o -> new LongAdder())
                .increment();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return new CountingReader(path, super.openReader(path));
    }

    @Override
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        return new CountingWriter(path, super.openWriter(path, opening));
    }

    private static final class Gauge {
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        void enter() {
            int reached = now.incrementAndGet();
            most.accumulateAndGet(reached, Math::max);
        }

        void leave() {
            now.decrementAndGet();
        }
    }

    private final class CountingReader extends Reader {
        private final String path;

        CountingReader(String path, ArrayReader delegate) {
            super(delegate);
            this.path = path;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            count(reads, path, spec().chunks(), region);
            bytesRead.add(region.elements() * spec().dataType().itemSize());
            reading.enter();
            try {
                return super.read(region, target, scratch);
            } finally {
                reading.leave();
            }
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            count(reads, path, spec().chunks(), region);
            bytesRead.add(region.elements() * spec().dataType().itemSize());
            reading.enter();
            try {
                return super.stream(region, sink, scratch);
            } finally {
                reading.leave();
            }
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            Optional<EncodedUnit> encoded = super.openEncoded(unit);
            count(reads, path, spec().chunks(), unit.elements() == 0 ? unit : firstElement(unit));
            encoded.ifPresent(e -> bytesRead.add(e.size()));
            return encoded;
        }

        @Override
        public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
            Optional<EncodedUnit> encoded = super.openChunk(chunk, scratch);
            count(reads, path, spec().chunks(), chunk);
            encoded.ifPresent(e -> bytesRead.add(e.size()));
            return encoded;
        }

        private Region firstElement(Region unit) {
            return Region.of(unit.origin(), unit.shape().combine(unit.shape(), (a, b) -> 1));
        }
    }

    private final class CountingWriter extends Writer {
        private final String path;

        CountingWriter(String path, ArrayWriter delegate) {
            super(delegate);
            this.path = path;
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            count(writes, path, spec().writeUnits(), unit);
            bytesWritten.add(data.remaining());
            writing.enter();
            try {
                super.write(unit, data, scratch);
            } finally {
                writing.leave();
            }
        }

        @Override
        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            partWrites.increment();
            bytesWritten.add(data.remaining());
            writing.enter();
            try {
                super.writePart(part, data, scratch);
            } finally {
                writing.leave();
            }
        }

        @Override
        public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
            count(writes, path, spec().writeUnits(), unit);
            encodedWrites.increment();
            writing.enter();
            try {
                super.writeChunks(unit, (chunk, working) -> counted(chunks.open(chunk, working)), scratch);
            } finally {
                writing.leave();
            }
        }

        private Optional<EncodedUnit> counted(Optional<EncodedUnit> chunk) {
            chunk.ifPresent(encoded -> bytesWritten.add(encoded.size()));
            return chunk;
        }

        @Override
        public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            count(writes, path, spec().writeUnits(), unit);
            encodedWrites.increment();
            bytesWritten.add(encoded.size());
            writing.enter();
            try {
                super.writeEncoded(unit, encoded, scratch);
            } finally {
                writing.leave();
            }
        }
    }
}
