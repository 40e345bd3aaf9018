package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.PartsContract;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract in every configuration and with every decorator, and the methods that only the memory store has. */
class MemoryStoreTest {
    @Nested
    class WithByteReads extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return new MemoryStore();
        }
    }

    @Nested
    class WithChunkReads extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder()
                    .granularity(Granularity.CHUNK)
                    .encodedCopies(false)
                    .build();
        }
    }

    @Nested
    class WithPaddedChunks extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder()
                    .granularity(Granularity.CHUNK)
                    .paddedEdges(true)
                    .build();
        }
    }

    @Nested
    class WithParts extends PartsContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder().paddedEdges(true).parts(true).build();
        }

        @Override
        protected ArraySpec spec(Cases random) {
            return random.spec();
        }
    }

    @Nested
    class WithStreams extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder().granularity(Granularity.STREAM).build();
        }
    }

    @Nested
    class WithPaddedStreams extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder()
                    .granularity(Granularity.STREAM)
                    .paddedEdges(true)
                    .build();
        }
    }

    @Nested
    class WithStretches extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder()
                    .granularity(Granularity.STREAM)
                    .blockBytes(1)
                    .build();
        }
    }

    @Nested
    class WithPaddedStretches extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder()
                    .granularity(Granularity.STREAM)
                    .blockBytes(1)
                    .paddedEdges(true)
                    .build();
        }
    }

    @Nested
    class WithPaddedUnitsAndByteReads extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return MemoryStore.builder().paddedEdges(true).build();
        }
    }

    @Nested
    class CountingAndFaulty extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return new CountingStore(new FaultyStore(new MemoryStore()));
        }
    }

    /** The contract itself uses stores without violations. */
    @Nested
    class Strict extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return new StrictStore(MemoryStore.builder()
                            .granularity(Granularity.CHUNK)
                            .paddedEdges(true)
                            .build())
                    .allowMissing()
                    .allowRepeats();
        }

        @Override
        protected void afterUse(ChunkStore store) throws IOException {
            List<String> violations = ((StrictStore) store).violations();
            if (!violations.stream().allMatch(what -> what.endsWith("after it was closed"))) {
                ((StrictStore) store).assertClosed();
            }
            super.afterUse(store);
        }
    }

    @Nested
    class ThatCannotBeWritten extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return new ReadOnly(new MemoryStore());
        }

        @Override
        protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
            MemoryStore store = new MemoryStore();
            data.write(store, path(), written);
            return new ReadOnly(store);
        }
    }

    @Nested
    class WithOneArrayOnly extends ChunkStoreContract {
        @Override
        protected ChunkStore createStore() {
            return new Flat(new MemoryStore());
        }
    }

    private static final class ReadOnly extends ForwardingStore {
        ReadOnly(ChunkStore delegate) {
            super(delegate);
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofHierarchy();
        }

        @Override
        public Optional<Updatable> updatable() {
            return Optional.empty();
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) {
            throw new UnsupportedOperationException("read-only");
        }

        @Override
        public void writeGroup(String path, GroupSpec group, boolean overwrite) {
            throw new UnsupportedOperationException("read-only");
        }
    }

    private static final class Flat extends ForwardingStore {
        Flat(ChunkStore delegate) {
            super(delegate);
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofOneArray()
                    .withWritable(true)
                    .withConcurrentWriters(true)
                    .withAtomicPublish(true);
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
            requireRoot(path);
            return super.create(path, spec, overwrite);
        }

        @Override
        public void writeGroup(String path, GroupSpec group, boolean overwrite) {
            requireRoot(path);
        }

        private void requireRoot(String path) {
            if (!at(path).path().equals(path)) {
                throw new IllegalArgumentException(path);
            }
            if (!path.isEmpty()) {
                throw new UnsupportedOperationException("one array only");
            }
        }
    }

    @Test
    void elementsAreWrittenAndRead() throws IOException {
        Cases.check(200, random -> {
            ArraySpec spec = random.spec();
            Data data = Data.of(spec);
            MemoryStore store = MemoryStore.of(spec, data.elements());
            assertArrayEquals(data.elements(), store.elements(""));
            data.check(store, "");
        });
    }

    @Test
    void elementsNeverWrittenHaveTheFillValue() throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(5), Shape.of(2)), DataType.INT16)
                .fillValue(FillValue.of((byte) 1, (byte) 2))
                .build();
        Data data = Data.of(spec);
        MemoryStore store = new MemoryStore();
        data.write(store, "x", unit -> unit == 1);
        assertArrayEquals(data.elements(Region.whole(spec.shape()), unit -> unit == 1), store.elements("x"));
        byte[] all = store.elements("x");
        assertEquals(1, all[0]);
        assertEquals(2, all[9]);
    }

    @Test
    void valuesThatDoNotFitAreRefused() {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(5), Shape.of(2)), DataType.INT16)
                .build();
        assertThrows(IllegalArgumentException.class, () -> MemoryStore.of(spec, new byte[9]));
        assertThrows(IllegalArgumentException.class, () -> new MemoryStore().elements("x"));
        MemoryStore store = MemoryStore.of(spec, new byte[10]);
        assertThrows(IllegalArgumentException.class, () -> store.put("", spec, new byte[10]));
        long much = 1L << 40;
        assertRefused(Shape.of(much), Shape.of(much));
        assertRefused(Shape.of(much, much), Shape.of(1, 1));
        assertRefused(Shape.of(Integer.MAX_VALUE), Shape.of(Integer.MAX_VALUE));
    }

    private static void assertRefused(Shape shape, Shape chunk) {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, chunk), DataType.INT8)
                .build();
        assertThrows(StoreException.class, () -> new MemoryStore().resolve(spec));
    }

    @Test
    void sparseArrayCanBeHuge() throws IOException {
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(1L << 40, 1L << 20), Shape.of(4, 4)), DataType.INT64)
                .build();
        Data data = Data.of(spec);
        MemoryStore store = new MemoryStore();
        ArrayWriter writer = store.create("b", spec, false);
        data.writeUnit(writer, spec.writeUnits().count() - 1);
        writer.commit();
        try (ArrayReader reader = store.openReader("b")) {
            Region last = spec.chunks().regionAt(spec.chunks().count() - 1);
            byte[] dense = new byte[128];
            assertTrue(Data.read(reader, last, dense));
            assertArrayEquals(data.elements(last), dense);
        }
    }

    @Test
    void shardsConsistOfWholeChunks() {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(10), Shape.of(2)), DataType.INT8)
                .shards(ChunkGrid.of(List.of(Partition.ofSizes(3, 7))))
                .build();
        assertThrows(StoreException.class, () -> new MemoryStore().resolve(spec));
    }

    @Test
    void wrongRegionsAndBuffersAreRefused() throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(5, 5), Shape.of(2, 2)), DataType.INT16)
                .build();
        MemoryStore store = MemoryStore.of(spec, new byte[50]);
        try (ArrayReader reader = store.openReader("")) {
            Region two = Region.of(new long[] {1, 1}, Shape.of(2, 1));
            ByteBuffer four = ByteBuffer.allocate(4);
            assertThrows(IllegalArgumentException.class, () -> reader.read(two, four, Data.scratch(0)));
            Region one = Region.of(new long[] {1, 1}, Shape.of(1, 1));
            assertThrows(IllegalArgumentException.class, () -> reader.read(one, four, Data.scratch(0)));
            assertTrue(reader.read(one, four.limit(2), Data.scratch(0)));
        }
        try (ArrayWriter writer = store.create("", spec, true)) {
            Region one = Region.of(new long[] {0, 0}, Shape.of(1, 1));
            assertThrows(
                    IllegalArgumentException.class, () -> writer.write(one, ByteBuffer.allocate(2), Data.scratch(0)));
        }
    }

    @Test
    void readerKeepsTheArrayThatItOpened() throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(5), Shape.of(2)), DataType.INT16)
                .build();
        MemoryStore store = new MemoryStore();
        Data.of(spec, 1).write(store, "a");
        try (ArrayReader reader = store.openReader("a");
                ArrayWriter writer = store.create("a", spec, true)) {
            assertEquals(Optional.empty(), store.node("a"));
            Data.of(spec, 2).writeUnit(writer, 0);
            writer.commit();
            Data.of(spec, 1).check(reader, unit -> true);
        }
    }

    @Test
    void onlyOneOfTwoWritersCommits() throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(5), Shape.of(2)), DataType.INT16)
                .build();
        MemoryStore store = new MemoryStore();
        try (ArrayWriter one = store.create("a", spec, false);
                ArrayWriter other = store.create("a", spec, false)) {
            one.commit();
            assertThrows(StoreException.class, other::commit);
        }
    }
}
