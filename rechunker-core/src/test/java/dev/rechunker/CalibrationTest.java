package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calibration measures a device that is slow in one respect as slow in that respect. */
class CalibrationTest {
    private static final long REQUEST_MILLIS = 10;
    private static final long CHUNK_MILLIS = 40;
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(64, 100), Shape.of(1, 100)), DataType.INT32)
            .build();
    private static final double CHUNK_BYTES = 400;

    @TempDir
    Path directory;

    /**
     * A store that takes a time for each request, and another one for the bytes of a chunk that is read for the first
     * time.
     */
    private static final class SlowStore extends ForwardingStore {
        private final Set<Region> cached = ConcurrentHashMap.newKeySet();
        private final boolean remote;

        SlowStore(boolean remote) throws IOException {
            super(MemoryStore.builder()
                    .granularity(Granularity.CHUNK)
                    .encodedCopies(true)
                    .build());
            this.remote = remote;
            Data.of(SPEC).write(this, "");
        }

        @Override
        public Capabilities capabilities() {
            return super.capabilities().withRemote(remote);
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            return new Reader(super.openReader(path)) {
                @Override
                public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
                    if (remote || cached.add(region)) {
                        sleep(REQUEST_MILLIS + CHUNK_MILLIS);
                    }
                    return super.read(region, target, scratch);
                }

                @Override
                public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
                    sleep(REQUEST_MILLIS);
                    return super.openEncoded(unit);
                }
            };
        }

        private static void sleep(long millis) throws IOException {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    private CostModel measured(ChunkStore source) throws IOException {
        CostModel model = Rechunker.from(source)
                .to(new MemoryStore())
                .chunks(64, 10)
                .maxMem("1MB")
                .spill(directory)
                .calibrate();
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(0, left.count());
        }
        return model;
    }

    @Test
    void localSourceHasSlowRequestsAndSlowBytes() throws IOException {
        CostModel model = measured(new SlowStore(false));
        assertTrue(model.requestSeconds() >= REQUEST_MILLIS / 1e3, model.toString());
        assertTrue(model.requestSeconds() < (REQUEST_MILLIS + CHUNK_MILLIS) / 1e3, model.toString());
        assertEquals(0, model.latencySeconds());
        // The time of a request is not known to a microsecond, so neither is the rest.
        assertTrue(model.readBytesPerSecond() < 2 * CHUNK_BYTES * 1e3 / CHUNK_MILLIS, model.toString());
        assertTrue(model.codecBytesPerSecond() > CHUNK_BYTES * 1e3 / REQUEST_MILLIS, model.toString());
    }

    @Test
    void remoteSourceHasLatency() throws IOException {
        CostModel model = measured(new SlowStore(true));
        assertTrue(model.latencySeconds() >= REQUEST_MILLIS / 1e3, model.toString());
        assertEquals(CostModel.OBJECT_STORE.requestSeconds(), model.requestSeconds());
        assertEquals(CostModel.OBJECT_STORE.codecBytesPerSecond(), model.codecBytesPerSecond());
        assertEquals(CostModel.OBJECT_STORE.readBytesPerSecond(), model.readBytesPerSecond());
    }

    @Test
    void missingChunksAreNotMeasured() throws IOException {
        MemoryStore empty = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        Data.of(SPEC).write(empty, "", unit -> false);
        CostModel model = measured(empty);
        assertEquals(CostModel.SSD.readBytesPerSecond(), model.readBytesPerSecond());
        assertEquals(CostModel.SSD.codecBytesPerSecond(), model.codecBytesPerSecond());
    }

    @Test
    @Timeout(20)
    void tinyMaxMemLeavesTheProfileUnchanged() throws IOException {
        ArraySpec bytes = ArraySpec.builder(ChunkGrid.regular(Shape.of(100), Shape.of(1)), DataType.INT8)
                .build();
        MemoryStore source = new MemoryStore();
        Data.of(bytes).write(source, "");
        for (String maxMem : new String[] {"7B", "9B"}) {
            CostModel model = Rechunker.from(source)
                    .to(new MemoryStore())
                    .chunks(2)
                    .maxMem(maxMem)
                    .spill(directory)
                    .calibrate();
            assertEquals(CostModel.SSD.writeBytesPerSecond(), model.writeBytesPerSecond());
            assertEquals(CostModel.SSD.spillBytesPerSecond(), model.spillBytesPerSecond());
        }
    }

    @Test
    void modelIsPrintedAndParsed() {
        assertEquals(CostModel.HDD, CostModel.parse("hdd"));
        CostModel model = CostModel.parse("hdd:read=2.1e8,latency=0.03");
        assertEquals(2.1e8, model.readBytesPerSecond());
        assertEquals(0.03, model.latencySeconds());
        assertEquals(CostModel.HDD.requestSeconds(), model.requestSeconds());
        CostModel again = CostModel.parse(model.text());
        assertEquals(model.text(), again.text());
        assertEquals(model.codecBytesPerSecond(), again.codecBytesPerSecond());
        for (String bad : new String[] {"tape", "ssd:speed=1", "ssd:read", "ssd:read=fast", "ssd:read=0", "ssd:"}) {
            assertThrows(IllegalArgumentException.class, () -> CostModel.parse(bad), bad);
        }
    }
}
