package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** The clauses on reading: {@link ChunkStore#node}, {@link ChunkStore#openReader} and {@link ArrayReader}. */
abstract class ReadContract extends StoreFixture {
    @Test
    void writtenElementsAreReadBack() {
        int[] tried = {0};
        Cases.check(cases(), random -> {
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
        Cases.check(cases() / 3, random -> {
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
    void manyThreadsReadAtOnce() throws Exception {
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
    void closedReadersRefuse() throws IOException {
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
    void arrayIsFoundAtItsPath() throws IOException {
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

    @Test
    void ownArraysHaveNoOmissions() throws IOException {
        ChunkStore store = fixture(Data.of(simple()), unit -> true);
        assertEquals(List.of(), store.omissions(path()));
        afterUse(store);
    }
}
