package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The kits detect the defects that they are made for. */
class KitsTest {
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(7, 5), Shape.of(3, 2)), DataType.INT32)
            .build();
    private static final Region FIRST = SPEC.chunks().regionAt(0);
    private static final Region LAST = SPEC.chunks().regionAt(8);

    private static void assertSays(String part, Throwable thrown) {
        assertTrue(String.valueOf(thrown.getMessage()).contains(part), thrown.toString());
    }

    // ---- Data and Cases ------------------------------------------------------------------------------------------

    @Test
    void elementsOfEightBytesAreAllDifferentAndSmallerOnesMostly() {
        for (int itemSize : new int[] {1, 2, 4, 8, 16}) {
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(4096), Shape.of(64)), DataType.bytes(itemSize))
                    .build();
            ByteBuffer all = ByteBuffer.wrap(Data.of(spec).elements());
            Set<ByteBuffer> different = new HashSet<>();
            for (int at = 0; at < all.capacity(); at += itemSize) {
                different.add(all.slice(at, itemSize));
            }
            int expected = itemSize == 1 ? 256 : itemSize == 2 ? 3900 : 4096;
            assertTrue(different.size() >= expected, itemSize + " bytes: " + different.size());
        }
    }

    @Test
    void saltChangesData() {
        assertNotEquals(
                ByteBuffer.wrap(Data.of(SPEC).elements()),
                ByteBuffer.wrap(Data.of(SPEC, 1).elements()));
    }

    @Test
    void firstWrongElementIsNamed() throws IOException {
        Data data = Data.of(SPEC);
        byte[] wrong = data.elements();
        System.arraycopy(data.elements(), 4, wrong, (4 * 5 + 3) * 4, 4);
        MemoryStore store = MemoryStore.of(SPEC, wrong);
        AssertionError error = assertThrows(AssertionError.class, () -> data.check(store, ""));
        assertSays("element (4, 3), in [3:6, 2:4]", error);
        assertSays("which belongs to (0, 1)", error);
        try (ArrayReader reader = store.openReader("")) {
            assertThrows(AssertionError.class, () -> data.check(reader, unit -> unit != 0));
        }
    }

    @Test
    void elementsCanBeAnyFunction() throws IOException {
        Data zeros = Data.of(SPEC, (position, element) -> {});
        zeros.check(MemoryStore.of(SPEC, new byte[140]), "");
        assertThrows(AssertionError.class, () -> Data.of(SPEC).check(MemoryStore.of(SPEC, new byte[140]), ""));
    }

    @Test
    void onlyChunksOfTheFillValueMayBeMissing() throws IOException {
        MemoryStore empty = new MemoryStore();
        Data.of(SPEC).write(empty, "a", unit -> false);
        Data.of(SPEC, (position, element) -> {}).check(empty, "a");
        assertSays(
                "is missing",
                assertThrows(AssertionError.class, () -> Data.of(SPEC).check(empty, "a")));
    }

    @Test
    void failureNamesItsSeed() {
        AssertionError error = assertThrows(
                AssertionError.class, () -> Cases.check(50, random -> assertTrue(random.seed() < 17, "too large")));
        assertSays("seed 17: too large", error);
        assertEquals(Cases.of(17).spec(), Cases.of(17).spec());
    }

    @Test
    void casesCoverAllKindsOfArrays() {
        Set<String> seen = new HashSet<>();
        Cases.check(2000, random -> {
            ArraySpec spec = random.spec();
            seen.add("rank " + spec.shape().rank());
            seen.add(spec.shape().elements() == 0 ? "empty" : "full");
            seen.add(spec.shards().isPresent() ? "shards" : "no shards");
            seen.add(spec.chunks().isRegular() ? "regular" : "irregular");
            seen.add("item " + spec.dataType().itemSize());
            for (int axis = 0; axis < spec.shape().rank(); axis++) {
                long step = spec.chunks().axis(axis).step();
                long length = spec.shape().extent(axis);
                seen.add(step > length ? "larger" : step == length ? "whole" : length % step == 0 ? "fits" : "clipped");
            }
        });
        int ranks = 7;
        int itemSizes = 9;
        assertEquals(ranks + itemSizes + 2 + 2 + 2 + 4, seen.size(), seen.toString());
    }

    // ---- StrictStore ---------------------------------------------------------------------------------------------

    private interface Use {
        void with(StrictStore store, ArrayWriter writer) throws IOException;
    }

    private static void assertViolation(String complaint, Use use) throws IOException {
        StrictStore store = new StrictStore(MemoryStore.builder()
                .granularity(Granularity.CHUNK)
                .paddedEdges(true)
                .build());
        try (ArrayWriter writer = store.create("a", SPEC, false)) {
            Throwable thrown = assertThrows(Throwable.class, () -> use.with(store, writer));
            assertSays(complaint, thrown);
        }
        AssertionError again = assertThrows(AssertionError.class, store::assertClosed);
        assertSays(complaint, again);
    }

    @Test
    void strictStoreDetectsMisuseOfWriters() throws IOException {
        Data data = Data.of(SPEC);
        Scratch none = Data.scratch(0);
        assertViolation("a second time", (store, writer) -> {
            data.writeUnit(writer, 4);
            data.writeUnit(writer, 4);
        });
        assertViolation(
                "not a write unit",
                (store, writer) -> writer.write(Region.of(new long[2], Shape.of(2, 2)), ByteBuffer.allocate(16), none));
        assertViolation(
                "the buffer has 20 bytes", (store, writer) -> writer.write(FIRST, ByteBuffer.allocate(20), none));
        assertViolation("the buffer has 4 bytes", (store, writer) -> writer.write(LAST, ByteBuffer.allocate(4), none));
        assertViolation(
                "padding",
                (store, writer) -> writer.write(LAST, ByteBuffer.allocate(24).put(20, (byte) 1), none));
        assertViolation(
                "leaves",
                (store, writer) ->
                        writer.write(Region.of(new long[] {6, 4}, Shape.of(3, 2)), ByteBuffer.allocate(24), none));
        assertViolation("after the commit", (store, writer) -> {
            writer.commit();
            data.writeUnit(writer, 0);
        });
        assertViolation("committed twice", (store, writer) -> {
            writer.commit();
            writer.commit();
        });
        assertViolation("after it was closed", (store, writer) -> {
            writer.close();
            data.writeUnit(writer, 0);
        });
    }

    @Test
    void strictStoreDetectsMisuseOfReaders() throws IOException {
        Scratch none = Data.scratch(0);
        assertViolation("never written", (store, writer) -> {
            writer.commit();
            Data.read(store.openReader("a"), FIRST, new byte[24]);
        });
        assertViolation("never written", (store, writer) -> {
            writer.commit();
            store.openReader("a").encoded().orElseThrow().openEncoded(FIRST);
        });
        assertViolation("is not one chunk", (store, writer) -> {
            writer.commit();
            store.openReader("a").read(Region.of(new long[2], Shape.of(1, 2)), ByteBuffer.allocate(8), none);
        });
        assertViolation("the buffer has 8 bytes", (store, writer) -> {
            writer.commit();
            store.openReader("a").read(FIRST, ByteBuffer.allocate(8), none);
        });
        assertViolation("after it was closed", (store, writer) -> {
            writer.commit();
            ArrayReader reader = store.openReader("a");
            reader.close();
            Data.read(reader, FIRST, new byte[24]);
        });
    }

    @Test
    void strictStoreDetectsConcurrentWritersOfUnit() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        FaultyStore waiting = new FaultyStore(new MemoryStore()).before(Operation.WRITE, number -> {
            inside.countDown();
            await(go);
        });
        StrictStore store = new StrictStore(waiting).allowRepeats();
        try (ArrayWriter writer = store.create("a", SPEC, false)) {
            Thread first = new Thread(() -> write(writer));
            first.start();
            await(inside);
            AssertionError error =
                    assertThrows(AssertionError.class, () -> Data.of(SPEC).writeUnit(writer, 0));
            assertSays("by two threads at the same time", error);
            go.countDown();
            first.join();
        }
        assertThrows(AssertionError.class, store::assertClosed);
    }

    private static void write(ArrayWriter writer) {
        try {
            Data.of(SPEC).writeUnit(writer, 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void strictStoreDetectsWhatIsLeftOpen() throws IOException {
        StrictStore store = new StrictStore(MemoryStore.of(SPEC, new byte[140]));
        ArrayReader reader = store.openReader("");
        AssertionError open = assertThrows(AssertionError.class, store::assertClosed);
        assertSays("reader of memory", open);
        EncodedUnit unit = reader.encoded().orElseThrow().openEncoded(FIRST).orElseThrow();
        reader.close();
        assertThrows(AssertionError.class, store::assertClosed);
        unit.close();
        store.assertClosed();
    }

    @Test
    void strictStoreAllowsCorrectUse() throws IOException {
        Data data = Data.of(SPEC);
        StrictStore store = new StrictStore(new MemoryStore()).allowMissing().allowRepeats();
        try (ArrayWriter writer = store.create("", SPEC, false)) {
            data.writeUnit(writer, 3);
            data.writeUnit(writer, 3);
            writer.commit();
        }
        try (ArrayReader reader = store.openReader("")) {
            data.check(reader, unit -> unit == 3);
        }
        store.assertClosed();
    }

    // ---- CountingStore -------------------------------------------------------------------------------------------

    @Test
    void readsAndWritesAreCounted() throws IOException {
        CountingStore store = new CountingStore(new MemoryStore());
        Data data = Data.of(SPEC);
        data.write(store, "a", unit -> unit != 8);
        data.check(store.openReader("a"), unit -> unit != 8);
        try (ArrayReader reader = store.openReader("a")) {
            Data.read(reader, Region.of(new long[] {4, 2}, Shape.of(1, 1)), new byte[4]);
            reader.encoded().orElseThrow().openEncoded(FIRST);
        }
        assertEquals(8, store.writes());
        assertEquals(Map.of(0L, 1L, 1L, 1L, 2L, 1L, 3L, 1L, 4L, 1L, 5L, 1L, 6L, 1L, 7L, 1L), store.writes("a"));
        assertEquals(11, store.reads());
        assertEquals(Map.of(0L, 2L, 1L, 1L, 2L, 1L, 3L, 1L, 4L, 2L, 5L, 1L, 6L, 1L, 7L, 1L, 8L, 1L), store.reads("a"));
        assertEquals(Map.of(), store.reads("b"));
        assertEquals(140 + 4 + 24, store.bytesRead());
        assertEquals(136, store.bytesWritten());
        assertEquals(0, store.encodedWrites());
        assertEquals(1, store.mostReadsAtOnce());
        assertEquals(1, store.mostWritesAtOnce());
    }

    @Test
    void concurrentOperationsAreCounted() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        CountingStore store = new CountingStore(new FaultyStore(new MemoryStore()).before(Operation.WRITE, number -> {
            both.countDown();
            await(both);
        }));
        try (ArrayWriter writer = store.create("a", SPEC, false)) {
            Thread other = new Thread(() -> write(writer));
            other.start();
            Data.of(SPEC).writeUnit(writer, 1);
            other.join();
        }
        assertEquals(2, store.mostWritesAtOnce());
    }

    // ---- FaultyStore ---------------------------------------------------------------------------------------------

    @Test
    void faultsOccurAtTheirOperations() throws IOException {
        FaultyStore store = new FaultyStore(new MemoryStore())
                .failOnce(Operation.WRITE, 2)
                .failAfterOnce(Operation.WRITE, 4)
                .throwing(StoreException::new)
                .failFrom(Operation.READ, 2);
        Data data = Data.of(SPEC);
        try (ArrayWriter writer = store.create("a", SPEC, false)) {
            data.writeUnit(writer, 0);
            IOException first = assertThrows(IOException.class, () -> data.writeUnit(writer, 1));
            assertEquals(IOException.class, first.getClass());
            assertSays("WRITE 2: a [0:3, 2:4]", first);
            data.writeUnit(writer, 2);
            assertThrows(IOException.class, () -> data.writeUnit(writer, 3));
            writer.commit();
        }
        assertEquals(4, store.count(Operation.WRITE));
        try (ArrayReader reader = store.openReader("a")) {
            assertTrue(Data.read(reader, SPEC.chunks().regionAt(3), new byte[24]), "failed after it was done");
            for (int i = 0; i < 3; i++) {
                assertThrows(StoreException.class, () -> Data.read(reader, FIRST, new byte[24]));
            }
        }
        store.throwing(IllegalStateException::new).failOnce(Operation.COMMIT, 2).failOnce(Operation.CREATE, 3);
        try (ArrayWriter writer = store.create("b", SPEC, false)) {
            assertThrows(IllegalStateException.class, writer::commit);
        }
        assertThrows(IllegalStateException.class, () -> store.create("c", SPEC, false));
    }

    @Test
    void slowOperationsAreDelayed() throws IOException {
        FaultyStore store = new FaultyStore(new MemoryStore()).slow(Operation.NODE, Duration.ofMillis(30));
        long start = System.nanoTime();
        ChunkStore plain = store;
        assertTrue(plain.node("").isEmpty());
        assertTrue(System.nanoTime() - start >= 29_000_000);
    }
}
