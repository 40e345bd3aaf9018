package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.view.Insertion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Existing arrays in files are extended and written into, and regions of them are read. */
class AppendTest {
    private static final long LENGTH = 53;

    @TempDir
    Path directory = Path.of("");

    /** {@return the store, opened again by each call} */
    private ChunkStore store(String format, String name) throws IOException {
        Path path = directory.resolve(name);
        return switch (format) {
            case "zarr2" -> Files.exists(path) ? Zarr.open(path) : Zarr.create(path, ZarrFormat.V2);
            case "zarr3", "sharded" -> Files.exists(path) ? Zarr.open(path) : Zarr.create(path, ZarrFormat.V3);
            case "hdf5" -> Files.exists(path) ? Hdf5.open(path) : Hdf5.create(path);
            default -> Files.exists(path) ? N5.open(path) : N5.create(path);
        };
    }

    private static ArraySpec spec(String format, Shape shape, String codec) {
        ArraySpec.Builder spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(5, 4, 5)), DataType.INT32)
                .codecs(codec.equals("none") ? List.of() : CodecSpec.parse(codec))
                .fillValue(FillValue.zero(4))
                .attributes(Map.of("units", "m", "history", List.of("made", 1L)));
        return (format.equals("sharded")
                        ? spec.shards(ChunkGrid.regular(shape, Shape.of(10, 8, 5)))
                        : spec.chunks(ChunkGrid.regular(shape, Shape.of(10, 4, 5))))
                .build();
    }

    /** Writes some steps of an array, as an array of their own, to a store; {@return its elements} */
    private static Data steps(Data whole, ChunkStore store, long from, long to) throws IOException {
        Shape all = whole.spec().shape();
        Region region = Region.of(new long[] {from, 0, 0}, Shape.of(to - from, all.extent(1), all.extent(2)));
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(region.shape(), Shape.of(3, 9, 2)), DataType.INT32)
                .byteOrder(whole.spec().byteOrder())
                .fillValue(FillValue.zero(4))
                .attributes(Map.of("units", "m"))
                .build();
        Data data = whole.part(region, store.resolve(spec));
        data.write(store, "");
        return data;
    }

    private static void create(ChunkStore store, Data whole, ArraySpec before) throws IOException {
        whole.part(Region.whole(before.shape()), store.resolve(before)).write(store, "g/x");
        store.finish(true);
        store.close();
    }

    @ParameterizedTest
    @CsvSource({"zarr2, none", "zarr2, blosc", "zarr3, zstd", "sharded, none", "sharded, zstd", "n5, none", "n5, gzip"})
    void appendingEqualsWritingAllAtOnce(String format, String codec) throws Exception {
        for (long added : new long[] {1, 7, 1000}) {
            for (boolean tiny : new boolean[] {false, true}) {
                String name = added + (tiny ? "tiny" : "");
                Shape shape = Shape.of(LENGTH + added, 9, 5);
                Data whole;
                try (ChunkStore once = store(format, name + "-once")) {
                    whole = Data.of(once.resolve(spec(format, shape, codec)));
                    whole.write(once, "g/x");
                    once.finish(true);
                }
                create(store(format, name), whole, spec(format, Shape.of(LENGTH, 9, 5), codec));
                MemoryStore source = new MemoryStore();
                steps(whole, source, LENGTH, LENGTH + added);
                try (ChunkStore target = store(format, name)) {
                    Rechunker.Into into =
                            Rechunker.from(source).into(target.at("g/x")).append(0);
                    ByteSize limit = tiny ? least(into) : ByteSize.parse("10MB");
                    Report report = into.maxMem(limit)
                            .threads(2)
                            .spill(directory)
                            .verify()
                            .execute();
                    assertTrue(report.measuredMemory() <= limit.bytes());
                    assertEquals(added * 45, report.elementsVerified());
                }
                try (ChunkStore target = store(format, name)) {
                    assertEquals(
                            new ChunkStore.ArrayNode(whole.spec()),
                            target.node("g/x").orElseThrow());
                    whole.check(target, "g/x");
                    assertEquals(
                            ((ChunkStore.GroupNode) store(format, name + "-once")
                                            .node("")
                                            .orElseThrow())
                                    .consolidated(),
                            ((ChunkStore.GroupNode) target.node("").orElseThrow()).consolidated());
                }
                assertEquals(documents(name + "-once"), documents(name));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"zarr2, .zmetadata", "zarr3, zarr.json"})
    void consolidatedMetadataIsKeptUntilItIsWrittenAgain(String format, String name) throws Exception {
        ArraySpec spec = spec(format, Shape.of(LENGTH, 9, 5), "none");
        try (ChunkStore once = store(format, "array")) {
            create(once, Data.of(once.resolve(spec)), spec);
        }
        Path consolidated = directory.resolve("array").resolve(name);
        String before = Files.readString(consolidated);
        try (ChunkStore target = store(format, "array")) {
            ArraySpec existing = ((ChunkStore.ArrayNode) target.node("g/x").orElseThrow()).spec();
            Region added = Region.of(new long[] {LENGTH, 0, 0}, Shape.of(8, 9, 5));
            try (ArrayWriter writer = target.updatable()
                    .orElseThrow()
                    .update("g/x", Insertion.of(existing, added).after())) {
                writer.commit();
            }
            assertEquals(before, Files.readString(consolidated));
            target.finish(false);
            assertTrue(Files.readString(consolidated).contains(Long.toString(LENGTH + 8)));
        }
    }

    private static ByteSize least(Rechunker.Into into) {
        InfeasiblePlanException refusal = assertThrows(
                InfeasiblePlanException.class,
                () -> into.maxMem("1").threads(2).verify().plan());
        return ByteSize.of(refusal.minimumMemory());
    }

    private String documents(String name) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String document : List.of(
                "zarr.json",
                ".zmetadata",
                "g/x/zarr.json",
                "g/x/.zarray",
                "g/x/.zattrs",
                "attributes.json",
                "g/x/attributes.json")) {
            Path file = directory.resolve(name).resolve(document);
            all.append(document)
                    .append(Files.exists(file) ? Files.readString(file) : "")
                    .append('\n');
        }
        return all.toString();
    }

    @ParameterizedTest
    @CsvSource({"zarr2, blosc", "sharded, zstd", "n5, gzip"})
    void aWindowIsWrittenAndTheRestIsKept(String format, String codec) throws Exception {
        Shape shape = Shape.of(LENGTH, 9, 5);
        Data old;
        try (ChunkStore target = store(format, "x")) {
            old = Data.of(target.resolve(spec(format, shape, codec)), 1);
            create(target, old, spec(format, shape, codec));
        }
        Data other = Data.of(old.spec(), 2);
        MemoryStore source = new MemoryStore();
        other.part(Region.whole(shape), old.spec()).write(source, "");
        try (ChunkStore target = store(format, "x")) {
            Rechunker.from(source)
                    .into(target.at("g/x"))
                    .maxMem("10MB")
                    .region("7:31, 2:5, 1:")
                    .verify()
                    .execute();
        }
        Region window = Region.of(new long[] {7, 2, 1}, Shape.of(24, 3, 4));
        try (ChunkStore target = store(format, "x");
                ArrayReader reader = target.openReader("g/x")) {
            byte[] expected = old.elements();
            byte[] added = other.elements();
            for (int i = 0; i < expected.length; i += 4) {
                Region one =
                        Region.of(new long[] {i / 4 / 45, i / 4 / 5 % 9, i / 4 % 5}, Shape.of(new long[] {1, 1, 1}));
                System.arraycopy(window.contains(one) ? added : expected, i, expected, i, 4);
            }
            old.assertSame(Region.whole(shape), expected, Data.readAll(reader));
        }
    }

    @ParameterizedTest
    @CsvSource({"zarr2, none", "zarr2, blosc", "zarr3, zstd", "sharded, zstd", "n5, gzip", "hdf5, gzip", "hdf5, none"})
    void aRegionOfEveryStoreIsCopied(String format, String codec) throws Exception {
        Shape shape = Shape.of(LENGTH, 9, 5);
        ArraySpec wanted = spec(format, shape, codec.equals("gzip") && format.equals("hdf5") ? "none" : codec);
        Data data;
        try (ChunkStore store = store(format, "x.h5")) {
            data = Data.of(store.resolve(wanted));
            data.write(store, "g/x");
            store.finish(false);
        }
        for (String text : List.of("7:31, 2:5, 1:", "10:50, 4:8, :", ":, :, :", "52:, 8:, 4:")) {
            MemoryStore target = new MemoryStore();
            try (ChunkStore store = store(format, "x.h5")) {
                Rechunker.from(store.at("g/x"))
                        .to(target)
                        .chunks(9, 2, 5)
                        .maxMem("10MB")
                        .region(text)
                        .verify()
                        .execute();
            }
            String[] parts = text.split(",");
            long[] origin = new long[3];
            long[] extents = new long[3];
            for (int axis = 0; axis < 3; axis++) {
                String[] ends = parts[axis].trim().split(":", -1);
                origin[axis] = ends[0].isEmpty() ? 0 : Long.parseLong(ends[0]);
                extents[axis] = (ends[1].isEmpty() ? shape.extent(axis) : Long.parseLong(ends[1])) - origin[axis];
            }
            Region region = Region.of(origin, Shape.of(extents));
            data.assertSame(region, data.elements(region), target.elements(""));
            assertEquals(
                    data.spec().attributes(),
                    ((ChunkStore.ArrayNode) target.node("").orElseThrow())
                            .spec()
                            .attributes());
        }
    }

    @Test
    void aStoreThatCannotExtendArraysIsRefusedByName() throws Exception {
        try (ChunkStore store = store("hdf5", "x.h5")) {
            Data.of(store.resolve(spec("hdf5", Shape.of(LENGTH, 9, 5), "none"))).write(store, "x");
            store.finish(false);
        }
        MemoryStore source = new MemoryStore();
        steps(Data.of(spec("hdf5", Shape.of(LENGTH, 9, 5), "none")), source, 0, 3);
        byte[] before = Files.readAllBytes(directory.resolve("x.h5"));
        try (ChunkStore target = Hdf5.open(directory.resolve("x.h5"))) {
            StoreException refusal = assertThrows(
                    StoreException.class,
                    () -> Rechunker.from(source)
                            .into(target.at("x"))
                            .append(0)
                            .maxMem("1MB")
                            .plan());
            assertTrue(String.valueOf(refusal.getMessage()).contains("x.h5#x cannot be written into"));
        }
        assertArrayEquals(before, Files.readAllBytes(directory.resolve("x.h5")));
    }

    /** A killed run leaves chunks after the end of the array. They are not visible, and the next run replaces them. */
    @ParameterizedTest
    @CsvSource({"zarr2, zstd", "sharded, zstd", "n5, gzip"})
    void chunksOfAKilledAppendAreReplaced(String format, String codec) throws Exception {
        Data whole;
        try (ChunkStore target = store(format, "x")) {
            whole = Data.of(target.resolve(spec(format, Shape.of(LENGTH + 27, 9, 5), codec)));
            create(target, whole, spec(format, Shape.of(LENGTH, 9, 5), codec));
        }
        try (ChunkStore target = store(format, "x");
                ArrayWriter writer = target.updatable().orElseThrow().update("g/x", whole.spec())) {
            Data other = Data.of(whole.spec(), 5);
            for (long unit = 0; unit < whole.spec().writeUnits().count(); unit++) {
                if (whole.spec().writeUnits().regionAt(unit).start(0) >= LENGTH) {
                    other.writeUnit(writer, unit);
                }
            }
        }
        MemoryStore source = new MemoryStore();
        Data.of(steps(whole, new MemoryStore(), LENGTH, LENGTH + 27).spec(), (position, element) -> {})
                .write(source, "empty", unit -> false);
        try (ChunkStore target = store(format, "x")) {
            Rechunker.from(source.at("empty"))
                    .into(target.at("g/x"))
                    .append(0)
                    .maxMem("10MB")
                    .execute();
        }
        try (ChunkStore target = store(format, "x");
                ArrayReader reader = target.openReader("g/x")) {
            byte[] all = Data.readAll(reader);
            byte[] expected = Arrays.copyOf(Arrays.copyOf(whole.elements(), (int) LENGTH * 180), all.length);
            whole.assertSame(Region.whole(whole.spec().shape()), expected, all);
        }
    }
}
