package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The clauses on writing: {@link ChunkStore#resolve}, {@link ChunkStore#create}, groups and {@link ArrayWriter}. */
abstract class WriteContract extends ReadContract {
    @Test
    void undeclaredWritesAreRefused() throws IOException {
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
    void resolvedSpecsResolveToThemselves() {
        Cases.check(cases(), random -> {
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
    void ownSpecsAreAdoptedUnchanged() throws IOException {
        writing(store -> {
            ArraySpec resolved = store.resolve(simple());
            assertEquals(resolved, store.rules().adopt(resolved));
            assertEquals(resolved, store.resolve(resolved));
            GroupSpec group = store.rules().resolveGroup("", GroupSpec.of(Map.of("title", "root", "n", 1L)), Map.of());
            assertEquals(group, store.rules().resolveGroup("", group, Map.of()));
        });
    }

    @Test
    void readTraitsAreKnownBeforeWritingOrNotAtAll() throws IOException {
        if (!capabilities().writable()) {
            return;
        }
        Cases.check(cases(), random -> {
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

    @Test
    void arrayIsInvisibleBeforeCommit() throws IOException {
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
    void vacantPlacesHaveNothing() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            ArraySpec resolved = store.resolve(data.spec());
            if (store.isVacant("")) {
                assertEquals(Optional.empty(), store.node(""));
                store.requireFree(path(), resolved, false);
            }
            data.write(store, path());
            assertFalse(store.isVacant(""));
            assertFalse(store.isVacant(path()));
            if (store.capabilities().hierarchical()) {
                assertFalse(store.isVacant("some"), "a group");
                boolean isEmptyVacant = store.isVacant("so");
                assertEquals(isEmptyVacant, store.isVacant("some/where/below"), "below an array");
                assertEquals(isEmptyVacant, store.isVacant("other"));
                store.writeGroup("other", Map.of());
                assertFalse(store.isVacant("other"), "a group without attributes");
            }
            store.finish(true);
            assertFalse(store.isVacant(""));
        });
    }

    @Test
    void noArrayExistsWithoutCommit() throws IOException {
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
    void existingNodesAreNotOverwritten() throws IOException {
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
    void overwritingRemovesAllUnits() throws IOException {
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
    void manyThreadsWriteAtOnceIfDeclared() throws IOException {
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
    void writingUnitsAgainChangesNothing() throws IOException {
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
    void writingDoesNotChangeBuffers() throws IOException {
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
    void closedWritersRefuse() throws IOException {
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
    void unitsOfNewArraysAreNotErased() throws IOException {
        writing((store) -> {
            try (ArrayWriter writer = store.create(path(), store.resolve(simple()), false)) {
                Region unit = writer.spec().writeUnits().regionAt(0);
                assertThrows(UnsupportedOperationException.class, () -> writer.erase(unit));
            }
        });
    }

    @Test
    void attributesAndNamesAreKept() throws IOException {
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
                .build();
        if (!supports(spec)) {
            return;
        }
        Data data = Data.of(spec);
        ChunkStore store = fixture(data, unit -> true);
        try (ArrayReader reader = store.openReader(path())) {
            assertEquals(attributes, reader.spec().attributes());
            assertEquals(spec.dimensionNames(), reader.spec().dimensionNames());
            checkWritten(data, reader, unit -> true);
        }
        afterUse(store);
    }

    /** The array has no dimension names, with which some formats have no place for a fill value. */
    @Test
    void fillValueIsKept() throws IOException {
        ArraySpec spec = spec(new long[] {6, 5}, new long[] {4, 3}, DataType.FLOAT32)
                .fillValue(FillValue.of((byte) 0, (byte) 0, (byte) 0x80, (byte) 0x3F))
                .build();
        if (!supports(spec)) {
            return;
        }
        Data data = Data.of(spec);
        ChunkStore store = fixture(data, unit -> unit == 0);
        try (ArrayReader reader = store.openReader(path())) {
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

    private static GroupNode group(ChunkStore store, String path) throws IOException {
        return (GroupNode) store.node(path).orElseThrow();
    }

    @Test
    void childrenAreInOrder() throws IOException {
        writing(store -> {
            if (!store.capabilities().hierarchical()) {
                return;
            }
            for (String name : List.of("b", "a-b", "c/d", "a", "B", "10", "2", "a b/c")) {
                store.writeGroup(name, Map.of());
            }
            List<String> written = List.of("b", "a-b", "c", "a", "B", "10", "2", "a b");
            List<String> found = store.children("");
            assertEquals(
                    found.equals(written) ? written : written.stream().sorted().toList(), found);
            assertEquals(List.of(), store.children("a"));
        });
    }
}
