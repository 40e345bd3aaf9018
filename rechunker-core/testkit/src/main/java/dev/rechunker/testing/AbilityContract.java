package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedChunks;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ArrayWriter.EncodedTarget;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.Durable;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.RunValues;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.Updatable;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The clauses on optional interfaces: what a store offers works, and what it does not offer is refused if it is called
 * nevertheless.
 */
abstract class AbilityContract extends WriteContract {
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

    @Test
    void existingArraysAreUpdatedIfTheStoreIsUpdatable() throws IOException {
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
    void arraysAreResumedIfTheStoreIsResumable() throws IOException {
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
            Optional<RunValues> values = resumable.runValues(path());
            if (values.isPresent()) {
                values.get().put("run/journal", new byte[] {1});
            } else {
                Files.createDirectories(resumable.workDirectory(path()));
            }
            assertEquals(List.of(), store.children(path()), "what a run keeps is seen");
            data.check(store, path());
            if (values.isPresent()) {
                values.get().deleteAll();
                assertEquals(Optional.empty(), values.get().get("run/journal"));
            }
        });
    }

    private static ArraySpec otherThan(ArraySpec spec, ChunkStore store) throws StoreException {
        return store.resolve(spec.toBuilder().attributes(Map.of("other", 1)).build());
    }

    @Test
    void writersJoinOneArrayIfTheStoreIsJoinable() throws IOException {
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
    void durableWritesAreReadBackIfTheStoreIsDurable() throws IOException {
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
    void writersHaveTheAbilitiesOfTheirTraits() throws IOException {
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
                    assertEquals(
                            traits.encodedChunks().isPresent(),
                            each.encodedChunks().isPresent(),
                            "encoded chunks");
                }
            }
        });
    }

    @Test
    void encodedUnitsAreCopiedIfOffered() throws IOException {
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

    @Test
    void encodedChunksAreCopiedIfOffered() throws IOException {
        writing(store -> {
            Data data = Data.of(simple());
            long skipped = data.spec().writeUnits().count() - 1;
            data.write(store, path(), unit -> unit != skipped);
            ChunkStore target = createStore();
            try (ArrayReader reader = store.openReader(path());
                    ArrayWriter writer = target.create(path(), target.resolve(data.spec()), false)) {
                if (reader.encodedChunks().isPresent() && writer.encodedChunks().isPresent()) {
                    EncodedChunks source = reader.encodedChunks().get();
                    EncodedTraits traits = writer.traits().encodedChunks().orElseThrow();
                    assertEquals(source.chunkEncoding(), traits.identity(), "of the same spec");
                    ChunkGrid units = writer.spec().writeUnits();
                    for (long ordinal = 0; ordinal < units.count(); ordinal++) {
                        Region unit = units.regionAt(ordinal);
                        long scratch = traits.scratchBytes() + source.chunkScratchBytes();
                        writer.encodedChunks().get().writeChunks(unit, source::openChunk, Data.scratch(scratch));
                    }
                    writer.commit();
                    try (ArrayReader copied = target.openReader(path())) {
                        data.check(copied, unit -> unit != skipped);
                    }
                }
            }
            afterUse(target);
        });
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

    /** An encoded unit for a writer that does not accept any. */
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
}
