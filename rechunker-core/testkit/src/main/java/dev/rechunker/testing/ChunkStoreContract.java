package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ArrayWriter.EncodedTarget;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.Durable;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.Updatable;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What every store has to do, clause by clause of {@link ChunkStore}, {@link ArrayReader} and {@link ArrayWriter}.
 *
 * <p>A test class extends it and says how to make a store. What the store's capabilities declare to be absent is tested
 * to be refused. A store that cannot hold every array says which ones it can in {@link #supports}; one that cannot
 * write brings arrays by other means in {@link #fixture}, one that cannot tell what was never written says so in
 * {@link #knowsMissing}.
 */
public abstract class ChunkStoreContract {
    private static final int CASES = 120;

    /** {@return a new store with nothing in it} */
    protected abstract ChunkStore createStore() throws IOException;

    /** {@return the same place, opened again after the store was closed; the store itself if it is not persistent} */
    protected ChunkStore reopen(ChunkStore store) throws IOException {
        return store;
    }

    /** {@return whether the store can hold such an array; else {@link ChunkStore#resolve} must refuse it} */
    protected boolean supports(ArraySpec spec) {
        return true;
    }

    /** {@return whether units never written are missing; in an array that is in memory they hold the fill value} */
    protected boolean knowsMissing() {
        return true;
    }

    /** Is called after each test with each store that it used, which it has closed or is about to. */
    protected void afterUse(ChunkStore store) throws IOException {
        store.close();
    }

    /**
     * {@return a store with one array at {@link #path()}, of which only the units that {@code written} accepts exist}
     *
     * <p>Uses the store itself to write; a store that cannot has to bring the array by other means.
     */
    protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
        ChunkStore store = createStore();
        data.write(store, path(), written);
        store.finish(false);
        store.close();
        return reopen(store);
    }

    /** {@return the path of arrays in tests: the root if the store holds one array only} */
    protected final String path() throws IOException {
        return capabilities().hierarchical() ? "some/where" : "";
    }

    private Capabilities capabilities() throws IOException {
        ChunkStore store = createStore();
        try {
            return store.capabilities();
        } finally {
            afterUse(store);
        }
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    @Test
    void whatWasWrittenIsReadBack() {
        int[] tried = {0};
        Cases.check(CASES, random -> {
            ArraySpec spec = random.spec();
            if (!supports(spec)) {
                return;
            }
            tried[0]++;
            Data data = Data.of(spec, random.seed());
            ChunkStore store = fixture(data, unit -> true);
            try (ArrayReader reader = store.openReader(path())) {
                assertSameArray(spec, reader.spec());
                data.check(reader, unit -> true);
                data.assertSame(Region.whole(spec.shape()), data.elements(), Data.readAll(reader));
                if (reader.traits().granularity() == Granularity.BYTES) {
                    data.checkParts(reader, random.random());
                }
            }
            afterUse(store);
        });
        assertTrue(tried[0] > 0, "no case is supported");
    }

    @Test
    void everyItemSizeIsKept() throws IOException {
        boolean any = false;
        for (int itemSize = 1; itemSize <= 17; itemSize++) {
            for (DataType type : List.of(DataType.bytes(itemSize), DataType.opaque(itemSize, ""))) {
                ArraySpec spec =
                        spec(new long[] {7, 5}, new long[] {3, 4}, type).build();
                if (supports(spec)) {
                    any = true;
                    roundTrip(spec);
                }
            }
        }
        for (DataType type : List.of(
                DataType.BOOL,
                DataType.INT8,
                DataType.UINT16,
                DataType.INT32,
                DataType.UINT64,
                DataType.FLOAT16,
                DataType.FLOAT64,
                DataType.COMPLEX128,
                DataType.unicode(2),
                DataType.datetime64("ns"))) {
            ArraySpec spec = spec(new long[] {7, 5}, new long[] {3, 4}, type).build();
            if (supports(spec)) {
                any = true;
                roundTrip(spec);
            }
        }
        assertTrue(any, "no type is supported");
    }

    @Test
    void edgesScalarsAndEmptyArraysAreKept() throws IOException {
        long[][][] cases = {
            {{}, {}},
            {{0}, {4}},
            {{3, 0}, {2, 2}},
            {{1}, {1}},
            {{5}, {8}},
            {{5, 3}, {8, 2}},
            {{4, 4}, {4, 4}},
            {{2, 3, 2, 3, 2, 3}, {1, 2, 2, 3, 4, 2}}
        };
        for (long[][] shapeAndChunk : cases) {
            ArraySpec spec =
                    spec(shapeAndChunk[0], shapeAndChunk[1], DataType.INT32).build();
            if (supports(spec)) {
                roundTrip(spec);
            }
        }
    }

    private void roundTrip(ArraySpec spec) throws IOException {
        Data data = Data.of(spec);
        ChunkStore store = fixture(data, unit -> true);
        try (ArrayReader reader = store.openReader(path())) {
            assertSameArray(spec, reader.spec());
            data.check(reader, unit -> true);
        }
        afterUse(store);
    }

    @Test
    void unitsNeverWrittenAreMissing() {
        Cases.check(CASES / 3, random -> {
            ArraySpec spec = random.spec();
            if (!supports(spec)) {
                return;
            }
            Data data = Data.of(spec, 1);
            LongPredicate written = unit -> (unit * 31 + random.seed()) % 3 == 0;
            ChunkStore store = fixture(data, written);
            try (ArrayReader reader = store.openReader(path())) {
                checkWritten(data, reader, written);
                data.assertSame(
                        Region.whole(spec.shape()),
                        data.elements(Region.whole(spec.shape()), written),
                        Data.readAll(reader));
            }
            afterUse(store);
        });
    }

    @Test
    void manyThreadsMayReadAtOnce() throws Exception {
        ArraySpec spec = simple();
        Data data = Data.of(spec);
        ChunkStore store = fixture(data, unit -> true);
        try (ArrayReader reader = store.openReader(path())) {
            atOnce(thread -> {
                for (int i = 0; i < 5; i++) {
                    data.check(reader, unit -> true);
                }
            });
        }
        afterUse(store);
    }

    @Test
    void traitsAreConstantAndNotNegative() throws IOException {
        ChunkStore store = fixture(Data.of(simple()), unit -> true);
        try (ArrayReader reader = store.openReader(path())) {
            assertEquals(reader.traits(), reader.traits());
            assertTrue(reader.traits().scratchBytes() >= 0);
            assertTrue(reader.traits().nativeBytes() >= 0);
        }
        afterUse(store);
    }

    @Test
    void aClosedReaderRefuses() throws IOException {
        Data data = Data.of(simple());
        ChunkStore store = fixture(data, unit -> true);
        ArrayReader reader = store.openReader(path());
        Region chunk = reader.spec().chunks().regionAt(0);
        byte[] dense =
                new byte[(int) (chunk.elements() * reader.spec().dataType().itemSize())];
        reader.close();
        reader.close();
        assertRefusedAfterClose(() -> Data.read(reader, chunk, dense));
        afterUse(store);
    }

    @Test
    void theArrayIsFoundWhereItIs() throws IOException {
        ArraySpec spec = simple();
        ChunkStore store = fixture(Data.of(spec), unit -> true);
        ArrayNode node = (ArrayNode) store.node(path()).orElseThrow();
        assertSameArray(spec, node.spec());
        try (ArrayReader reader = store.openReader(path())) {
            assertEquals(node.spec(), reader.spec());
        }
        assertEquals(List.of(), store.children(path()));
        if (capabilities().hierarchical()) {
            assertEquals(List.of("some"), store.children(""));
            assertEquals(List.of("where"), store.children("some"));
            assertTrue(store.node("some").orElseThrow() instanceof GroupNode, "a parent is a group");
            assertTrue(store.node("").orElseThrow() instanceof GroupNode, "the root is a group");
            assertEquals(Optional.empty(), store.node("some/thing"));
            assertEquals(Optional.empty(), store.node("some/where/below"));
            assertThrows(StoreException.class, () -> store.openReader("some"));
            assertThrows(StoreException.class, () -> store.openReader("some/thing"));
        }
        afterUse(store);
    }

    @Test
    void pathsOutsideAreRefused() throws IOException {
        ChunkStore store = fixture(Data.of(simple()), unit -> true);
        for (String path : List.of("/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/.", "../a")) {
            assertThrows(IllegalArgumentException.class, () -> store.node(path), path);
            assertThrows(IllegalArgumentException.class, () -> store.children(path), path);
            assertThrows(IllegalArgumentException.class, () -> store.openReader(path), path);
            if (store.capabilities().writable()) {
                ArraySpec spec = store.resolve(simple());
                assertThrows(IllegalArgumentException.class, () -> store.create(path, spec, true), path);
                assertThrows(IllegalArgumentException.class, () -> store.writeGroup(path, Map.of()), path);
            }
        }
        afterUse(store);
    }

    @Test
    void storesHaveAnIdentity() throws IOException {
        ChunkStore one = fixture(Data.of(simple()), unit -> true);
        ChunkStore other = fixture(Data.of(simple()), unit -> true);
        String identity = one.identity();
        assertEquals(identity, one.identity());
        assertNotEquals(identity, other.identity());
        assertFalse(one.name().isEmpty());
        one.close();
        assertEquals(identity, reopen(one).identity());
        afterUse(one);
        afterUse(other);
    }

    // ---- writing -------------------------------------------------------------------------------------------------

    @Test
    void whatCannotBeWrittenIsRefused() throws IOException {
        ChunkStore store = createStore();
        if (!store.capabilities().writable()) {
            assertThrows(UnsupportedOperationException.class, () -> store.create(path(), simple(), false));
            assertThrows(UnsupportedOperationException.class, () -> store.create(path(), simple(), true));
            assertThrows(UnsupportedOperationException.class, () -> store.writeGroup("", Map.of()));
        } else if (!store.capabilities().hierarchical()) {
            ArraySpec spec = store.resolve(simple());
            assertThrows(UnsupportedOperationException.class, () -> store.create("a", spec, false));
            assertThrows(UnsupportedOperationException.class, () -> store.writeGroup("a", Map.of()));
        }
        afterUse(store);
    }

    @Test
    void resolvingIsFinalOrARefusal() {
        Cases.check(CASES, random -> {
            ChunkStore store = createStore();
            ArraySpec spec = random.spec();
            if (store.capabilities().writable()) {
                if (supports(spec)) {
                    ArraySpec resolved = store.resolve(spec);
                    assertSameArray(spec, resolved);
                    assertEquals(resolved, store.resolve(resolved), "resolving twice");
                } else {
                    assertThrows(StoreException.class, () -> store.resolve(spec));
                }
                assertEquals(List.of(), store.capabilities().hierarchical() ? store.children("") : List.of());
            }
            afterUse(store);
        });
    }

    @Test
    void anArrayIsInvisibleBeforeItsCommit() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            ArraySpec resolved = store.resolve(data.spec());
            store.requireFree(path(), resolved, false);
            assertEquals(Optional.empty(), store.node(path()), "written by asking");
            try (ArrayWriter writer = store.create(path(), resolved, false)) {
                assertInvisible(store);
                data.writeUnit(writer, 0);
                assertInvisible(store);
                for (long unit = 1; unit < data.spec().writeUnits().count(); unit++) {
                    data.writeUnit(writer, unit);
                }
                assertInvisible(store);
                writer.commit();
                data.check(store, path());
            }
            data.check(store, path());
        });
    }

    @Test
    void withoutCommitNothingComesIntoBeing() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            try (ArrayWriter writer = store.create(path(), store.resolve(data.spec()), false)) {
                data.writeUnit(writer, 0);
                data.writeUnit(writer, 1);
            }
            assertInvisible(store);
            Data.of(data.spec(), 2).write(store, path(), unit -> unit != 0);
            try (ArrayReader reader = store.openReader(path())) {
                checkWritten(Data.of(data.spec(), 2), reader, unit -> unit != 0);
            }
        });
    }

    @Test
    void whatWasBegunIsGoneOnWithOrNot() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            ArraySpec spec = store.resolve(data.spec());
            if (store.resumable().isEmpty()) {
                if (store instanceof Resumable absent) {
                    assertThrows(UnsupportedOperationException.class, () -> absent.resume(path(), spec));
                }
                return;
            }
            Resumable resumable = store.resumable().get();
            assertThrows(StoreException.class, () -> resumable.resume(path(), spec), "nothing was begun");
            try (ArrayWriter writer = store.create(path(), spec, false)) {
                data.writeUnit(writer, 0);
            }
            ArraySpec other = otherThan(data.spec(), store);
            assertThrows(StoreException.class, () -> resumable.resume(path(), other), "another array was begun");
            try (ArrayWriter writer = resumable.resume(path(), spec)) {
                for (long unit = 1; unit < data.spec().writeUnits().count(); unit++) {
                    data.writeUnit(writer, unit);
                }
                assertInvisible(store);
                writer.commit();
            }
            data.check(store, path());
            assertThrows(StoreException.class, () -> resumable.resume(path(), spec), "it is complete");
            Files.createDirectories(resumable.workDirectory(path()));
            assertEquals(List.of(), store.children(path()), "the work directory is seen");
            data.check(store, path());
        });
    }

    private static ArraySpec otherThan(ArraySpec spec, ChunkStore store) throws StoreException {
        return store.resolve(spec.toBuilder().attributes(Map.of("other", 1)).build());
    }

    @Test
    void severalWritersJoinOneArrayOrNotAtAll() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            ArraySpec spec = store.resolve(data.spec());
            if (store.joinable().isEmpty()) {
                if (store instanceof Joinable absent) {
                    assertThrows(UnsupportedOperationException.class, () -> absent.join(path(), spec));
                }
                return;
            }
            Joinable joinable = store.joinable().get();
            assertThrows(StoreException.class, () -> joinable.join(path(), spec), "nothing was begun");
            store.create(path(), spec, false).close();
            ArraySpec other = otherThan(data.spec(), store);
            assertThrows(StoreException.class, () -> joinable.join(path(), other), "another array was begun");
            long units = data.spec().writeUnits().count();
            try (ArrayWriter one = joinable.join(path(), spec);
                    ArrayWriter two = joinable.join(path(), spec)) {
                for (long unit = 0; unit < units; unit++) {
                    data.writeUnit(unit % 2 == 0 ? one : two, unit);
                }
                data.writeUnit(one, units - 1);
                data.writeUnit(two, units - 1);
            }
            assertInvisible(store);
            try (ArrayWriter last = joinable.join(path(), spec)) {
                last.commit();
            }
            data.check(store, path());
            assertThrows(StoreException.class, () -> joinable.join(path(), spec), "it is complete");
            store.noteCommitted(path());
            store.finish(false);
            data.check(store, path());
        });
    }

    @Test
    void whatIsWrittenDurablyIsReadBackOrNothingIs() throws IOException {
        writing(store -> {
            if (store.durable().isEmpty()) {
                if (store instanceof Durable absent) {
                    assertThrows(UnsupportedOperationException.class, absent::makeDurable);
                }
                return;
            }
            store.durable().get().makeDurable();
            Data data = Data.of(simple());
            data.write(store, path());
            store.finish(false);
            data.check(store, path());
        });
    }

    @Test
    void optionalInterfacesAreConstantAndForwarded() throws IOException {
        ChunkStore store = createStore();
        List<Boolean> abilities = abilities(store);
        if (store.capabilities().writable()) {
            Data.of(simple()).write(store, path());
        } else {
            assertFalse(abilities.contains(true), "of a store that can only be read");
        }
        assertEquals(abilities, abilities(store));
        assertEquals(abilities, abilities(new ForwardingStore(store) {}));
        afterUse(store);
    }

    private static List<Boolean> abilities(ChunkStore store) {
        return List.of(
                store.updatable().isPresent(),
                store.resumable().isPresent(),
                store.joinable().isPresent(),
                store.durable().isPresent());
    }

    private void assertInvisible(ChunkStore store) throws IOException {
        assertFalse(store.node(path()).orElse(null) instanceof ArrayNode, "visible before the commit");
        assertThrows(StoreException.class, () -> store.openReader(path()));
    }

    @Test
    void whatIsThereIsNotOverwritten() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            data.write(store, path());
            ArraySpec spec = store.resolve(data.spec());
            store.requireFree(path(), spec, true);
            assertThrows(StoreException.class, () -> store.create(path(), spec, false));
            data.check(store, path());
            if (store.capabilities().hierarchical()) {
                assertThrows(StoreException.class, () -> store.create("some", spec, false), "a group");
                assertThrows(StoreException.class, () -> store.create("some", spec, true), "a group");
                assertThrows(StoreException.class, () -> store.create("some/where/below", spec, true), "below");
                assertThrows(StoreException.class, () -> store.writeGroup("some/where", Map.of()));
                assertThrows(StoreException.class, () -> store.writeGroup("some/where/below", Map.of()));
                data.check(store, path());
            }
        });
    }

    @Test
    void overwritingLeavesNothingBehind() throws IOException {
        writing(store -> {
            Data.of(simple()).write(store, path());
            ArraySpec spec =
                    spec(new long[] {9, 4}, new long[] {5, 4}, DataType.INT16).build();
            Data data = Data.of(supports(spec) ? spec : simple(), 3);
            try (ArrayWriter writer = store.create(path(), store.resolve(data.spec()), true)) {
                assertInvisible(store);
                data.writeUnit(writer, 1);
                writer.commit();
            }
            try (ArrayReader reader = store.openReader(path())) {
                assertSameArray(data.spec(), reader.spec());
                checkWritten(data, reader, unit -> unit == 1);
            }
        });
    }

    @Test
    void manyThreadsMayWriteAtOnceIfDeclared() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            try (ArrayWriter writer = store.create(path(), store.resolve(data.spec()), false)) {
                long units = data.spec().writeUnits().count();
                int threads = store.capabilities().concurrentWriters() ? THREADS : 1;
                atOnce(thread -> {
                    for (long unit = thread; thread < threads && unit < units; unit += threads) {
                        data.writeUnit(writer, unit);
                    }
                });
                writer.commit();
            }
            data.check(store, path());
        });
    }

    @Test
    void writingAUnitAgainChangesNothing() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            try (ArrayWriter writer = store.create(path(), store.resolve(data.spec()), false)) {
                long units = data.spec().writeUnits().count();
                for (long i = 0; i < 2 * units; i++) {
                    data.writeUnit(writer, i % units);
                    data.writeUnit(writer, i / 2);
                }
                writer.commit();
            }
            data.check(store, path());
        });
    }

    @Test
    void writingDoesNotChangeTheBuffer() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            try (ArrayWriter writer = store.create(path(), store.resolve(data.spec()), false)) {
                ByteBuffer unit = data.unit(
                        data.spec().writeUnits().regionAt(0), writer.traits().paddedEdges());
                ByteBuffer all = unit.duplicate().clear();
                ByteBuffer before =
                        ByteBuffer.allocate(all.capacity()).put(all.duplicate()).flip();
                Scratch scratch = Data.scratch(writer.traits().scratchBytes());
                writer.write(data.spec().writeUnits().regionAt(0), unit, scratch);
                assertEquals(before, all);
                for (int i = 0; i < all.capacity(); i++) {
                    all.put(i, (byte) 1);
                }
                writer.commit();
            }
            try (ArrayReader reader = store.openReader(path())) {
                checkWritten(data, reader, unit -> unit == 0);
            }
        });
    }

    @Test
    void aClosedWriterRefuses() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            ArrayWriter writer = store.create(path(), store.resolve(data.spec()), false);
            writer.close();
            writer.close();
            assertRefusedAfterClose(() -> data.writeUnit(writer, 0));
            assertRefusedAfterClose(writer::commit);
            assertInvisible(store);
        });
    }

    @Test
    void whatIsSaidAboutAnArrayIsKept() throws IOException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("units", "m/s \u00b2 \"quoted\" \\");
        attributes.put("scale", 0.125);
        attributes.put("offset", -7L);
        attributes.put("valid", true);
        attributes.put("nothing", null);
        attributes.put("range", List.of(1L, 2L, 3L));
        attributes.put("nested", Map.of("a", Map.of("b", List.of("c", "d"))));
        ArraySpec spec = spec(new long[] {6, 5}, new long[] {4, 3}, DataType.FLOAT32)
                .attributes(attributes)
                .dimensionNames(List.of("y", "x"))
                .fillValue(FillValue.of((byte) 0, (byte) 0, (byte) 0x80, (byte) 0x3F))
                .build();
        if (!supports(spec)) {
            return;
        }
        Data data = Data.of(spec);
        ChunkStore store = fixture(data, unit -> unit == 0);
        try (ArrayReader reader = store.openReader(path())) {
            assertEquals(attributes, reader.spec().attributes());
            assertEquals(spec.dimensionNames(), reader.spec().dimensionNames());
            assertEquals(spec.fillValue(), reader.spec().fillValue());
            checkWritten(data, reader, unit -> unit == 0);
        }
        afterUse(store);
    }

    @Test
    void groupsKeepTheirAttributes() throws IOException {
        writing(store -> {
            if (!store.capabilities().hierarchical()) {
                return;
            }
            store.writeGroup("a/b", Map.of("x", 1L));
            store.writeGroup("", Map.of("title", "root"));
            Data.of(simple()).write(store, "a/c");
            store.writeGroup("a", Map.of("y", List.of("z")));
            store.writeGroup("a/b", Map.of("x", 2L));
            store.finish(false);
            store.close();
            ChunkStore again = reopen(store);
            assertEquals(Map.of("title", "root"), group(again, "").attributes());
            assertEquals(Map.of("y", List.of("z")), group(again, "a").attributes());
            assertEquals(Map.of("x", 2L), group(again, "a/b").attributes());
            assertEquals(List.of("a"), again.children(""));
            assertEquals(List.of("b", "c"), again.children("a"));
            assertEquals(List.of(), again.children("a/b"));
            Data.of(simple()).check(again, "a/c");
            if (again != store) {
                afterUse(again);
            }
        });
    }

    @Test
    void whatAStoreHasMadeItAdoptsAndResolvesAsItIs() throws IOException {
        writing(store -> {
            ArraySpec resolved = store.resolve(simple());
            assertEquals(resolved, store.rules().adopt(resolved));
            assertEquals(resolved, store.resolve(resolved));
            Map<String, @Nullable Object> attributes = store.rules().resolveGroup("", Map.of("title", "root", "n", 1L));
            assertEquals(attributes, store.rules().resolveGroup("", attributes));
        });
    }

    @Test
    void nothingIsLeftOutOfWhatItWroteItself() throws IOException {
        ChunkStore store = fixture(Data.of(simple()), unit -> true);
        assertEquals(List.of(), store.omissions(path()));
        afterUse(store);
    }

    /** Units that {@code written} rejects are missing, or filled. */
    private void checkWritten(Data data, ArrayReader reader, LongPredicate written) throws IOException {
        if (knowsMissing()) {
            data.check(reader, written);
        } else {
            Region whole = Region.whole(data.spec().shape());
            data.assertSame(whole, data.elements(whole, written), Data.readAll(reader));
        }
    }

    private static GroupNode group(ChunkStore store, String path) throws IOException {
        return (GroupNode) store.node(path).orElseThrow();
    }

    @Test
    void childrenAreSorted() throws IOException {
        writing(store -> {
            if (!store.capabilities().hierarchical()) {
                return;
            }
            for (String name : List.of("b", "a-b", "c/d", "a", "B", "10", "2", "a b/c")) {
                store.writeGroup(name, Map.of());
            }
            List<String> expected = new ArrayList<>(List.of("b", "a-b", "c", "a", "B", "10", "2", "a b"));
            expected.sort(null);
            assertEquals(expected, store.children(""));
            assertEquals(List.of(), store.children("a"));
        });
    }

    @Test
    void abilitiesOfWritersAreWhatTheirTraitsDeclare() throws IOException {
        writing(store -> {
            ArraySpec resolved = store.resolve(simple());
            try (ArrayWriter writer = store.create(path(), resolved, false)) {
                WriteTraits traits = writer.traits();
                assertEquals(traits, store.writeTraits(resolved), "as planned");
                ArrayWriter forwarding = new ForwardingStore.Writer(writer) {};
                for (ArrayWriter each : List.of(writer, forwarding)) {
                    assertEquals(traits, each.traits());
                    assertEquals(traits.parts().isPresent(), each.parts().isPresent(), "parts");
                    assertEquals(traits.encoded().isPresent(), each.encoded().isPresent(), "encoded units");
                }
            }
        });
    }

    @Test
    void unitsAreCopiedEncodedOrNotAtAll() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            long skipped = data.spec().writeUnits().count() - 1;
            data.write(store, path(), unit -> unit != skipped);
            ChunkStore target = createStore();
            try (ArrayReader reader = store.openReader(path());
                    ArrayWriter writer = target.create(path(), target.resolve(data.spec()), false)) {
                Region first = data.spec().writeUnits().regionAt(0);
                if (reader.encoded().isEmpty() && reader instanceof EncodedSource absent) {
                    assertThrows(UnsupportedOperationException.class, () -> absent.openEncoded(first));
                }
                if (writer.encoded().isPresent()) {
                    assertEquals(
                            reader.encoded().orElseThrow().encodingIdentity(),
                            writer.traits().encoded().orElseThrow().identity(),
                            "of the same spec");
                    copyEncoded(reader, writer, skipped);
                    writer.commit();
                    try (ArrayReader copied = target.openReader(path())) {
                        data.check(copied, unit -> unit != skipped);
                    }
                } else if (writer instanceof EncodedTarget absent) {
                    assertThrows(
                            UnsupportedOperationException.class,
                            () -> absent.writeEncoded(first, new NoUnit(), Data.scratch(0)));
                }
            }
            afterUse(target);
        });
    }

    private static void copyEncoded(ArrayReader reader, ArrayWriter writer, long missing) throws IOException {
        EncodedSource source = reader.encoded().orElseThrow();
        EncodedTarget target = writer.encoded().orElseThrow();
        EncodedTraits traits = writer.traits().encoded().orElseThrow();
        for (long ordinal = 0; ordinal < writer.spec().writeUnits().count(); ordinal++) {
            Region unit = writer.spec().writeUnits().regionAt(ordinal);
            Optional<EncodedUnit> encoded = source.openEncoded(unit);
            assertEquals(ordinal != missing, encoded.isPresent());
            if (encoded.isPresent()) {
                try (EncodedUnit bytes = encoded.get()) {
                    assertReadsAnyPart(bytes);
                    target.writeEncoded(unit, bytes, Data.scratch(traits.scratchBytes()));
                }
            }
        }
    }

    private static void assertReadsAnyPart(EncodedUnit encoded) throws IOException {
        int size = Math.toIntExact(encoded.size());
        byte[] whole = new byte[size];
        encoded.read(0, ByteBuffer.wrap(whole));
        ByteBuffer tail = ByteBuffer.allocateDirect(size - size / 2);
        encoded.read(size / 2, tail);
        assertFalse(tail.hasRemaining());
        byte[] read = new byte[tail.capacity()];
        tail.get(0, read);
        assertArrayEquals(Arrays.copyOfRange(whole, size / 2, size), read);
        assertThrows(EOFException.class, () -> encoded.read(1, ByteBuffer.allocate(size)));
    }

    /** An encoded unit for a writer that does not take any. */
    private record NoUnit() implements EncodedUnit {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public void read(long offset, ByteBuffer target) {}

        @Override
        public void close() {}
    }

    @Test
    void arraysThatExistAreUpdatedOrNotAtAll() throws IOException {
        if (!capabilities().writable()) {
            return;
        }
        ArraySpec before = simple();
        Shape larger = before.shape().combine(Shape.of(5, 0), Long::sum);
        ChunkStore store = createStore();
        Data whole = Data.of(store.resolve(before).grown(larger));
        Region old = Region.whole(before.shape());
        Data there = whole.part(old, store.resolve(before));
        there.write(store, path());
        if (store.updatable().isEmpty()) {
            if (store instanceof Updatable absent) {
                assertThrows(UnsupportedOperationException.class, () -> absent.update(path(), there.spec()));
            }
            afterUse(store);
            return;
        }
        Updatable updatable = store.updatable().get();
        store.finish(false);
        ArraySpec spec = whole.spec();
        assertThrows(
                IllegalArgumentException.class,
                () -> updatable.update(
                        path(),
                        spec.grown(larger).toBuilder()
                                .dataType(DataType.INT8)
                                .fillValue(FillValue.zero(1))
                                .build()));
        assertThrows(StoreException.class, () -> updatable.update("nowhere", spec));
        assertLength(store, there);
        for (boolean commits : List.of(false, true)) {
            try (ArrayReader opened = store.openReader(path());
                    ArrayWriter writer = updatable.update(path(), spec)) {
                assertSameArray(spec, writer.spec());
                for (long ordinal = 0; ordinal < spec.writeUnits().count(); ordinal++) {
                    if (!old.contains(spec.writeUnits().regionAt(ordinal))) {
                        whole.writeUnit(writer, ordinal);
                    }
                }
                there.check(opened, unit -> true);
                assertLength(store, there);
                if (commits) {
                    writer.commit();
                    there.check(opened, unit -> true);
                }
            }
            assertLength(store, commits ? whole : there);
        }
        updatable.hold(path()).close();
        updatable.hold(path()).close();
        try (ArrayWriter writer = updatable.update(path(), spec)) {
            writer.erase(spec.writeUnits().regionAt(1));
            writer.erase(spec.writeUnits().regionAt(1));
            writer.commit();
        }
        store.finish(false);
        store.close();
        ChunkStore again = reopen(store);
        try (ArrayReader reader = again.openReader(path())) {
            whole.check(reader, unit -> unit != 1);
        }
        afterUse(again);
    }

    private void assertLength(ChunkStore store, Data data) throws IOException {
        assertEquals(Optional.of(new ArrayNode(data.spec())), store.node(path()));
        data.check(store, path());
    }

    @Test
    void aNewArrayIsNotErased() throws IOException {
        writing((store) -> {
            try (ArrayWriter writer = store.create(path(), store.resolve(simple()), false)) {
                Region unit = writer.spec().writeUnits().regionAt(0);
                assertThrows(UnsupportedOperationException.class, () -> writer.erase(unit));
            }
        });
    }

    @Test
    void howAnArrayWillBeReadIsKnownBeforeOrNotAtAll() throws IOException {
        if (!capabilities().writable()) {
            return;
        }
        Cases.check(CASES, random -> {
            ArraySpec spec = random.spec();
            if (!supports(spec)) {
                return;
            }
            ChunkStore store = createStore();
            ArraySpec resolved = store.resolve(spec);
            Data.of(resolved).write(store, path(), unit -> unit % 2 == 0);
            try (ArrayReader reader = store.openReader(path())) {
                Optional<ReadTraits> foretold = store.readTraits(resolved);
                assertEquals(foretold.orElse(reader.traits()), reader.traits());
            }
            afterUse(store);
        });
    }

    // ---- tools ---------------------------------------------------------------------------------------------------

    private static final int THREADS = 4;

    /** {@return an array that most stores can hold: 2 axes, clipped chunks} */
    protected ArraySpec simple() {
        return spec(new long[] {11, 10}, new long[] {4, 3}, DataType.INT32).build();
    }

    private static ArraySpec.Builder spec(long[] shape, long[] chunk, DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type)
                .fillValue(FillValue.zero(type.itemSize()));
    }

    /** What a format may not express otherwise. */
    private static void assertSameArray(ArraySpec expected, ArraySpec actual) {
        assertEquals(expected.shape(), actual.shape());
        assertEquals(expected.chunks(), actual.chunks());
        assertEquals(expected.shards(), actual.shards());
        assertEquals(expected.dataType().itemSize(), actual.dataType().itemSize());
        assertEquals(expected.dataType().kind(), actual.dataType().kind());
        if (expected.fillValue().isDefined()) {
            assertEquals(expected.fillValue(), actual.fillValue());
        }
    }

    private interface Use {
        void with(ChunkStore store) throws Exception;
    }

    /** Tests a writable store; there is nothing to test in one that is not. */
    private void writing(Use use) throws IOException {
        ChunkStore store = createStore();
        try {
            if (store.capabilities().writable()) {
                use.with(store);
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            afterUse(store);
        }
    }

    private static void assertRefusedAfterClose(Executable call) {
        try {
            call.execute();
        } catch (IOException | IllegalStateException expected) {
            return;
        } catch (Throwable other) {
            throw new AssertionError("closed, but failed with " + other, other);
        }
        fail("closed, but still works");
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void atOnce(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                calls.add(() -> {
                    work.run(thread);
                    return true;
                });
            }
            for (Future<Boolean> done : threads.invokeAll(calls)) {
                assertTrue(done.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
