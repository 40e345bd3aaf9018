package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What sources must have in common, and the properties of the joined array. */
class ConcatChecksTest {
    private static ArraySpec.Builder spec(long time, long... chunk) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(time, 4, 6), Shape.of(chunk)), DataType.INT16)
                .dimensionNames(List.of("time", "y", "x"))
                .fillValue(FillValue.zero(2))
                .attributes(Map.of("units", "m", "history", "made first"));
    }

    private static MemoryStore store(String name, String path, ArraySpec spec) throws IOException {
        return store(name, Granularity.CHUNK, path, spec);
    }

    private static MemoryStore store(String name, Granularity granularity, String path, ArraySpec spec)
            throws IOException {
        MemoryStore store =
                MemoryStore.builder().name(name).granularity(granularity).build();
        Data.of(spec).write(store, path);
        return store;
    }

    private static String refusal(Class<? extends Exception> type, Executable call) {
        return String.valueOf(assertThrows(type, call).getMessage());
    }

    private static void assertContains(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), text);
        }
    }

    private static String refused(UnaryOperator<ArraySpec.Builder> change) throws IOException {
        ChunkStore first = store("first.nc", "", spec(3, 1, 4, 6).build());
        ChunkStore same = store("same.nc", "", spec(2, 1, 4, 6).build());
        ChunkStore other = store("other.nc", "", change.apply(spec(2, 1, 4, 6)).build());
        return refusal(StoreException.class, () -> Concat.along("time", first.at(""), same.at(""), other.at("")));
    }

    @Test
    void sourcesThatDoNotMatchAreNamed() throws IOException {
        assertContains(
                refused(s -> s.chunks(ChunkGrid.regular(Shape.of(2, 5, 6), Shape.of(1, 5, 6)))),
                "other.nc differs from first.nc in shape on axis 1: (2, 5, 6), not (3, 4, 6)");
        assertContains(
                refused(s -> s.chunks(ChunkGrid.regular(Shape.of(4, 6), Shape.of(4, 6)))
                        .dimensionNames(List.of("y", "x"))),
                "other.nc differs from first.nc in shape: (4, 6)");
        assertContains(
                refused(s -> s.dataType(DataType.UINT16)),
                "other.nc differs from first.nc in data type: uint16, not int16");
        assertContains(
                refused(s -> s.dimensionNames(List.of("time", "x", "y"))), "other.nc", "dimension names: [time, x, y]");
        assertContains(refused(s -> s.dimensionNames(List.of())), "other.nc", "dimension names: []");
    }

    @Test
    void attributesThatGiveNumbersAnotherMeaningAreNamed() throws IOException {
        assertContains(
                refused(s -> s.attributes(Map.of("units", "cm"))),
                "other.nc differs from first.nc in the attribute units: cm, not m",
                "keepFirst(\"units\")");
        assertContains(refused(s -> s.attributes(Map.of())), "other.nc", "units: none, not m");
        for (String attribute : List.of("scale_factor", "add_offset", "_FillValue", "missing_value", "calendar")) {
            assertContains(
                    refused(s -> s.attributes(Map.of("units", "m", attribute, 0.5))),
                    "other.nc",
                    attribute + ": 0.5, not none");
        }
        FillValue missing = FillValue.of((byte) 7, (byte) 0);
        assertContains(
                refused(s -> s.missingValue(missing)),
                "other.nc",
                "_FillValue: 7, not none",
                "keepFirst(\"_FillValue\")");
    }

    @Test
    void differencesAreReportedAndMeaningsMayBeKeptByRequest() throws IOException {
        ChunkStore first = store("first.nc", "a", spec(3, 1, 4, 6).build());
        ChunkStore second = store(
                "second.nc",
                "a",
                spec(2, 1, 4, 6)
                        .attributes(Map.of("units", "metres", "history", "made later"))
                        .build());
        List<Source> sources = Concat.sources(first.at(""), second.at(""), second.at(""));
        List<String> told = new ArrayList<>();
        Concat.Options options = Concat.options().onDifference(told::add);
        assertThrows(StoreException.class, () -> options.along("time", sources));
        assertThrows(StoreException.class, () -> options.keepFirst("b:units").along("time", sources));
        told.clear();
        ChunkStore joined = options.keepFirst("a:units").along("time", sources);
        ArraySpec spec = ((ArrayNode) joined.node("a").orElseThrow()).spec();
        assertEquals(Map.of("units", "m", "history", "made first"), spec.attributes());
        assertEquals(2, told.size(), told::toString);
        assertTrue(
                told.contains(
                        "second.nc#a differs from first.nc#a in the attribute history: made later, not made first"),
                told::toString);
        options.keepFirst("units").along("time", sources);
    }

    @Test
    void numbersAreComparedByValue() throws IOException {
        ChunkStore first = store(
                "first.nc",
                "",
                spec(3, 1, 4, 6)
                        .attributes(Map.of("valid_range", List.of(1L, 2.5), "_FillValue", Double.NaN))
                        .build());
        ChunkStore second = store(
                "second.nc",
                "",
                spec(3, 1, 4, 6)
                        .attributes(Map.of("valid_range", List.of(1, 2.5f), "_FillValue", Float.NaN))
                        .build());
        Concat.along("time", first.at(""), second.at(""));
    }

    @Test
    void unlimitedAxesStayUnlimited() throws IOException {
        ArraySpec spec = spec(3, 1, 4, 6)
                .unlimitedAxes(Set.of(0, 2))
                .hints(Map.of("hdf5.maxshape", "unlimited,4,9", "hdf5.layout", "chunked"))
                .build();
        List<Source> sources = Concat.sources(
                store("a.nc", "", spec).at(""), store("b.nc", "", spec).at(""));
        ArraySpec along = ((ArrayNode) Concat.along("time", sources).node("").orElseThrow()).spec();
        assertEquals(Set.of(0, 2), along.unlimitedAxes());
        assertEquals(spec.hints(), along.hints());
        ArraySpec stacked =
                ((ArrayNode) Concat.stack("run", 1, sources).node("").orElseThrow()).spec();
        assertEquals(Set.of(0, 3), stacked.unlimitedAxes());
        assertEquals(Map.of("hdf5.layout", "chunked"), stacked.hints());
    }

    @Test
    void missingAxesAreRefused() throws IOException {
        ChunkStore first = store("first.nc", "", spec(3, 1, 4, 6).build());
        ChunkStore bare =
                store("bare", "", spec(3, 1, 4, 6).dimensionNames(List.of()).build());
        ChunkStore twice = store(
                "twice",
                "",
                spec(3, 1, 4, 6).dimensionNames(List.of("a", "b", "a")).build());
        assertContains(
                refusal(IllegalArgumentException.class, () -> Concat.along("t", first.at(""))),
                "first.nc has no axis t",
                "[time, y, x]");
        assertContains(
                refusal(IllegalArgumentException.class, () -> Concat.along("time", bare.at(""))), "without names");
        assertThrows(IllegalArgumentException.class, () -> Concat.along(3, first.at("")));
        assertThrows(IllegalArgumentException.class, () -> Concat.along(-1, first.at("")));
        assertContains(
                refusal(IllegalArgumentException.class, () -> Concat.along("a", twice.at(""))),
                "twice has more than one axis called a");
        assertThrows(IllegalArgumentException.class, () -> Concat.along("time", List.of()));
        assertThrows(IllegalArgumentException.class, () -> Concat.stack("y", first.at("")));
        assertThrows(IllegalArgumentException.class, () -> Concat.stack("new", 4, Concat.sources(first.at(""))));
        assertThrows(IllegalArgumentException.class, () -> Concat.options().atMostOpen(0));
        assertContains(
                refusal(StoreException.class, () -> Concat.along(0, first.at("nothing"))),
                "there is no array or group at first.nc#nothing");
    }

    private static Partition time(ArraySpec... specs) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (ArraySpec spec : specs) {
            sources.add(Source.of(store("m", "", spec).at("")));
        }
        return ((ArrayNode) Concat.along("time", sources).node("").orElseThrow())
                .spec()
                .chunks()
                .axis(0);
    }

    @Test
    void alongTheAxisChunksAreThoseOfEachMember() throws IOException {
        assertEquals(
                Partition.ofSizes(2, 1, 2, 2, 1),
                time(spec(3, 2, 4, 6).build(), spec(5, 2, 4, 6).build()));
        assertEquals(
                Partition.regular(7, 2),
                time(spec(4, 2, 4, 6).build(), spec(3, 2, 4, 6).build()));
        assertEquals(
                Partition.regular(3, 1),
                time(
                        spec(1, 8, 4, 6).build(),
                        spec(1, 1, 4, 6).build(),
                        spec(0, 3, 4, 6).build(),
                        spec(1, 2, 4, 6).build()));
        assertEquals(
                Partition.regular(3, 8),
                time(spec(0, 2, 4, 6).build(), spec(3, 8, 4, 6).build()));
        assertEquals(
                Partition.regular(0, 2),
                time(spec(0, 2, 4, 6).build(), spec(0, 3, 4, 6).build()));
    }

    /** A chunk that was never written is read as zeros in one source, and as undefined elements in the joined array. */
    @Test
    void missingChunksKeepTheFillValueOfTheirMember() throws IOException {
        ArraySpec undefined = spec(2, 1, 4, 6).fillValue(FillValue.UNDEFINED).build();
        ChunkStore first = store("a", "", undefined);
        MemoryStore empty = MemoryStore.builder().name("b").build();
        empty.create("", spec(2, 1, 4, 6).build(), false).commit();
        for (boolean zeroFirst : List.of(false, true)) {
            try (ArrayReader reader = zeroFirst ? reader(empty, first) : reader(first, empty)) {
                ByteBuffer chunk = ByteBuffer.allocateDirect(48);
                Region unwritten = reader.spec().chunks().region(zeroFirst ? 0 : 3, 0, 0);
                boolean found = reader.read(unwritten, chunk, new Scratch(ByteBuffer.allocateDirect(0)));
                assertEquals(!zeroFirst, found);
            }
        }
    }

    private static ArrayReader reader(ChunkStore... members) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (ChunkStore member : members) {
            sources.add(Source.of(member.at("")));
        }
        return Concat.along("time", sources).openReader("");
    }

    @Test
    void acrossTheAxisChunksAreThoseThatAllMembersShare() throws IOException {
        ChunkStore a = store("a", "", spec(2, 1, 2, 2).build());
        ChunkStore b = store("b", "", spec(2, 1, 1, 4).build());
        try (ArrayReader reader = reader(a, b)) {
            assertEquals(
                    ChunkGrid.regular(Shape.of(4, 4, 6), Shape.of(1, 2, 4)),
                    reader.spec().chunks());
            assertEquals(Granularity.CHUNK, reader.traits().granularity());
            assertEquals(8, reader.traits().scratchBytes());
        }
        try (ArrayReader reader = reader(a, a)) {
            assertEquals(0, reader.traits().scratchBytes());
        }
    }

    @Test
    void membersOfBytesAreReadAtAnyCut() throws IOException {
        ChunkStore a = store("a", Granularity.BYTES, "", spec(20, 20, 4, 6).build());
        ChunkStore b = store("b", Granularity.BYTES, "", spec(9, 9, 4, 3).build());
        ChunkStore chunked = store("c", "", spec(8, 3, 2, 6).build());
        try (ArrayReader reader = reader(a, b)) {
            assertEquals(Granularity.BYTES, reader.traits().granularity());
            assertEquals(Partition.ofSizes(20, 9), reader.spec().chunks().axis(0));
            assertEquals(Partition.regular(6, 3), reader.spec().chunks().axis(2));
            assertEquals(0, reader.traits().scratchBytes());
        }
        try (ArrayReader reader = reader(a, chunked)) {
            assertEquals(Granularity.CHUNK, reader.traits().granularity());
            assertEquals(
                    Partition.ofSizes(3, 3, 3, 3, 3, 3, 2, 3, 3, 2),
                    reader.spec().chunks().axis(0));
            assertEquals(Partition.regular(4, 2), reader.spec().chunks().axis(1));
        }
    }

    @Test
    void propertiesOfTheFirstSourceAreKept() throws IOException {
        ArraySpec first = spec(4, 2, 4, 6)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .codecs(List.of(CodecSpec.of("transpose"), CodecSpec.of("zstd")))
                .hints(Map.of("a", "b"))
                .shards(ChunkGrid.regular(Shape.of(4, 4, 6), Shape.of(4, 4, 6)))
                .build();
        ArraySpec other = spec(4, 2, 4, 6)
                .shards(ChunkGrid.regular(Shape.of(4, 4, 6), Shape.of(4, 4, 6)))
                .build();
        ChunkStore a = store("a", "", first);
        ChunkStore b = store("b", "", other);
        ArraySpec joined =
                ((ArrayNode) Concat.along("time", a.at(""), b.at("")).node("").orElseThrow()).spec();
        assertEquals(
                first.toBuilder()
                        .chunks(ChunkGrid.regular(Shape.of(8, 4, 6), Shape.of(2, 4, 6)))
                        .shards(ChunkGrid.regular(Shape.of(8, 4, 6), Shape.of(4, 4, 6)))
                        .build(),
                joined);
        ArraySpec stacked = ((ArrayNode) Concat.stack("run", 1, Concat.sources(a.at(""), b.at("")))
                        .node("")
                        .orElseThrow())
                .spec();
        assertEquals(ChunkGrid.regular(Shape.of(4, 2, 4, 6), Shape.of(2, 1, 4, 6)), stacked.chunks());
        assertEquals(List.of("time", "run", "y", "x"), stacked.dimensionNames());
        assertEquals(List.of(CodecSpec.of("zstd")), stacked.codecs());
        assertEquals(Shape.of(4, 1, 4, 6), stacked.shards().orElseThrow().chunkShape());
    }

    // ---- groups --------------------------------------------------------------------------------------------------

    private static ArraySpec.Builder coordinate(String name, long length) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(length), Shape.of(3)), DataType.INT64)
                .dimensionNames(List.of(name));
    }

    private static MemoryStore file(String name, long time) throws IOException {
        MemoryStore store = store(name, "in/ssh", spec(time, 1, 4, 6).build());
        Data.of(spec(time, 1, 4, 6).build(), 1).write(store, "in/sst");
        Data.of(coordinate("time", time).build(), time).write(store, "time");
        Data.of(coordinate("x", 6).build()).write(store, "x");
        Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.INT8)
                        .build())
                .write(store, "crs");
        store.writeGroup("", Map.of("title", name));
        return store;
    }

    @Test
    void groupsAreJoinedArrayByArray() throws IOException {
        ChunkStore joined =
                Concat.along("time", file("a", 3).at(""), file("b", 2).at(""));
        assertEquals(List.of("crs", "time", "x", "in"), joined.children(""));
        assertEquals(Map.of("title", "a"), ((GroupNode) joined.node("").orElseThrow()).attributes());
        assertEquals(
                Shape.of(5, 4, 6),
                ((ArrayNode) joined.node("in/sst").orElseThrow()).spec().shape());
        assertEquals(
                Shape.of(5),
                ((ArrayNode) joined.node("time").orElseThrow()).spec().shape());
        Data.of(coordinate("x", 6).build()).check(joined, "x");
        try (ArrayReader time = joined.openReader("time")) {
            byte[] all = Data.readAll(time);
            byte[] first = Data.of(coordinate("time", 3).build(), 3).elements();
            assertArrayEquals(first, Arrays.copyOf(all, 24));
        }
        ChunkStore stacked =
                Concat.stack("run", file("a", 3).at(""), file("b", 3).at(""));
        assertEquals(
                Shape.of(2, 3, 4, 6),
                ((ArrayNode) stacked.node("in/sst").orElseThrow()).spec().shape());
        assertEquals(
                Shape.of(2),
                ((ArrayNode) stacked.node("crs").orElseThrow()).spec().shape());
        assertEquals(
                Shape.of(3),
                ((ArrayNode) stacked.node("time").orElseThrow()).spec().shape());
    }

    @Test
    void groupsThatDoNotMatchAreRefused() throws IOException {
        ChunkStore first = file("a", 3);
        MemoryStore more = file("more", 3);
        Data.of(coordinate("z", 3).build()).write(more, "in/z");
        MemoryStore fewer = store("fewer", "in/ssh", spec(3, 1, 4, 6).build());
        assertContains(
                refusal(StoreException.class, () -> Concat.along("time", first.at(""), more.at(""))),
                "there is an array at more#in/z, but nothing at a#in/z");
        assertContains(
                refusal(StoreException.class, () -> Concat.along("time", more.at(""), first.at(""))),
                "there is nothing at a#in/z, but an array at more#in/z");
        assertContains(
                refusal(StoreException.class, () -> Concat.along("time", first.at(""), fewer.at(""))), "fewer#crs");
        assertContains(
                refusal(StoreException.class, () -> Concat.along("time", first.at("time"), first.at("in"))), "a#in");
        assertContains(
                refusal(IllegalArgumentException.class, () -> Concat.along(0, first.at(""))),
                "axis 0 is not the same in all arrays of a",
                "name the axis");
        assertContains(
                refusal(IllegalArgumentException.class, () -> Concat.along("z", first.at(""))),
                "no array in a can be joined along axis z");
        Concat.along(0, first.at("in"), file("c", 3).at("in"));
    }

    @Test
    void arraysOfAnotherLengthThanTheirCoordinatesAreRefused() throws IOException {
        ChunkStore whole = file("a", 3);
        MemoryStore part = file("part", 3);
        part.create("in/ssh", spec(2, 1, 4, 6).build(), true).commit();
        for (List<ChunkStore> members : List.of(List.of(whole, part), List.of(part, whole))) {
            List<Source> sources =
                    Concat.sources(members.get(0).at(""), members.get(1).at(""));
            assertContains(
                    refusal(StoreException.class, () -> Concat.along("time", sources)),
                    "part: in/ssh has 2 elements along time, but there are coordinates for 3 in time");
        }
        Concat.along("time", part.at("in/ssh"), whole.at("in/ssh"));
        Concat.stack("run", Concat.sources(part.at(""), part.at("")));
    }

    @Test
    void otherCoordinatesAreRefused() throws IOException {
        ChunkStore first = file("a", 3);
        MemoryStore other = store("other", "in/ssh", spec(3, 1, 4, 6).build());
        Data.of(spec(3, 1, 4, 6).build(), 1).write(other, "in/sst");
        Data.of(coordinate("time", 3).build()).write(other, "time");
        Data.of(coordinate("x", 6).build(), 1).write(other, "x");
        Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.INT8)
                        .build())
                .write(other, "crs");
        assertContains(
                refusal(StoreException.class, () -> Concat.along("time", first.at(""), other.at(""))),
                "other#x has other elements than a#x");
    }

    @Test
    void coordinatesMayDifferInTheirEncoding() throws IOException {
        MemoryStore a = store("a", "v", spec(3, 1, 4, 6).build());
        MemoryStore b = store("b", "v", spec(3, 1, 4, 6).build());
        ArraySpec little = coordinate("x", 6).build();
        ArraySpec big = ArraySpec.builder(ChunkGrid.regular(Shape.of(6), Shape.of(4)), DataType.INT64)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .dimensionNames(List.of("x"))
                .build();
        Data.of(little).write(a, "x");
        Slices.swapped(Data.of(little), big, 8).write(b, "x");
        ChunkStore joined = Concat.along("time", a.at(""), b.at(""));
        Data.of(little).check(joined, "x");
    }

    // ---- locations and files ----------------------------------------------------------------------------------------

    @Test
    void aSourceIsNotOverwritten() throws IOException {
        MemoryStore first = store("first", "in/a", spec(3, 1, 4, 6).build());
        MemoryStore second = store("second", "in/a", spec(3, 1, 4, 6).build());
        ChunkStore joined = Concat.along("time", first.at("in/a"), second.at("in/a"));
        for (String inside : List.of("", "in", "in/a", "in/a/b")) {
            Exception refused = assertThrows(
                    StoreException.class,
                    () -> Rechunker.from(joined)
                            .to(second.at(inside))
                            .chunks(6, 1, 1)
                            .maxMem("1MB")
                            .overwrite()
                            .plan());
            assertContains(String.valueOf(refused.getMessage()), "the same place, or one is inside the other");
        }
        Rechunker.from(joined)
                .to(second.at("in/b"))
                .chunks(6, 1, 1)
                .maxMem("1MB")
                .plan();
    }

    @TempDir
    Path directory;

    @Test
    void filesComeInNaturalOrder() throws IOException {
        for (String name : List.of("f10.zarr", "f2.zarr", "f1.zarr", "f02b.zarr", "g1.zarr", "f1", "f00003.zarr")) {
            Files.createDirectory(directory.resolve(name));
        }
        List<Source> files = Concat.files(directory, "f*.zarr", file -> new MemoryStore(), "a/b");
        assertEquals(
                List.of("f1.zarr", "f2.zarr", "f02b.zarr", "f00003.zarr", "f10.zarr"),
                files.stream()
                        .map(source -> String.valueOf(Path.of(source.name()).getFileName()))
                        .toList());
        assertEquals("a/b", files.get(0).path());
        assertTrue(files.get(0).toString().endsWith("f1.zarr#a/b"));
        assertContains(
                refusal(StoreException.class, () -> Concat.files(directory, "*.nc", file -> new MemoryStore())),
                "matches \"*.nc\"");
        Source broken = new Source("broken.nc", "", () -> {
            throw new IOException("no such device");
        });
        IOException failed = assertThrows(IOException.class, () -> Concat.along(0, List.of(broken)));
        assertFalse(failed instanceof StoreException);
        assertContains(String.valueOf(failed.getMessage()), "broken.nc", "no such device");
    }

    @Test
    void namesAreOrderedByTheNumbersInThem() {
        List<String> ordered = List.of("", "a", "a01", "a1", "a1b", "a2", "a10", "a10.5", "a99999999999999999999", "b");
        List<String> names = new ArrayList<>(ordered);
        Collections.shuffle(names, new Random(3));
        names.sort(NaturalOrder.INSTANCE);
        assertEquals(ordered, names);
    }
}
