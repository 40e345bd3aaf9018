package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between all pairs of formats keep elements and types, and keep everything else or list it as a loss. */
class FormatPairsTest {
    private static final List<String> FORMATS = List.of("zarr2", "zarr3", "n5", "hdf5", "ome-zarr", "ome-zarr-0.4");
    private static final Map<String, Object> ATTRIBUTES =
            Map.of("units", "K", "scale_factor", 0.5, "levels", List.of(1L, 2L, 3L));

    @TempDir
    Path directory = Path.of("");

    static Stream<Arguments> pairs() {
        return FORMATS.stream().flatMap(from -> FORMATS.stream().map(to -> Arguments.of(from, to)));
    }

    private static ChunkStore create(String format, Path path) {
        return switch (format) {
            case "zarr2" -> Zarr.create(path, ZarrFormat.V2);
            case "zarr3" -> Zarr.create(path, ZarrFormat.V3);
            case "n5" -> N5.create(path);
            case "hdf5" -> Hdf5.create(path);
            case "ome-zarr" -> OmeZarr.create(path);
            default -> OmeZarr.create(path, OmeVersion.V0_4);
        };
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyLossIsListed(String from, String to) throws IOException, InterruptedException {
        int number = 0;
        for (DataType type :
                List.of(DataType.UINT8, DataType.INT16, DataType.UINT32, DataType.FLOAT32, DataType.FLOAT64)) {
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                number++;
                check(from, to, spec(type, order, number % 2 == 0), number);
            }
        }
    }

    /** Types that not every format has. */
    private static final Map<String, DataType> OTHERS = new TreeMap<>(Map.ofEntries(
            Map.entry("bool", DataType.BOOL),
            Map.entry("int8", DataType.INT8),
            Map.entry("int64", DataType.INT64),
            Map.entry("uint64", DataType.UINT64),
            Map.entry("float16", DataType.FLOAT16),
            Map.entry("complex64", DataType.COMPLEX64),
            Map.entry("complex128", DataType.COMPLEX128),
            Map.entry("bytes", DataType.bytes(3)),
            Map.entry("raw", DataType.opaque(4, "")),
            Map.entry("record", DataType.opaque(12, "[[\"a\",\"<i2\"],[\"b\",[[\"c\",\"|S2\"],[\"d\",\">f4\",[2]]]]]")),
            Map.entry("unicode", DataType.unicode(2)),
            Map.entry("datetime", DataType.datetime64("ns")),
            Map.entry("timedelta", DataType.timedelta64("25s"))));

    private static final Set<String> NUMBERS = Set.of("int8", "int64", "uint64");

    private static boolean has(String format, String type) {
        return switch (format) {
            case "n5" -> NUMBERS.contains(type);
            case "hdf5" -> !type.equals("unicode");
            case "zarr3", "ome-zarr" -> !type.equals("record");
            default -> true;
        };
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyTypeIsKeptOrRefusedByName(String from, String to) throws IOException, InterruptedException {
        int number = 100;
        for (Map.Entry<String, DataType> named : OTHERS.entrySet()) {
            DataType type = named.getValue();
            if (has(from, named.getKey())) {
                ArraySpec spec = spec(type, ByteOrder.LITTLE_ENDIAN, false);
                int directory = number++;
                if (has(to, named.getKey())) {
                    check(from, to, spec, directory);
                } else {
                    StoreException refusal = assertThrows(StoreException.class, () -> check(from, to, spec, directory));
                    String message = String.valueOf(refusal.getMessage());
                    assertTrue(message.contains(type.toString()), message);
                }
            }
        }
    }

    private static ArraySpec spec(DataType type, ByteOrder order, boolean filled) {
        byte[] fill = new byte[type.itemSize()];
        fill[fill.length - 1] = (byte) (filled ? 7 : 0);
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(5, 13, 7), Shape.of(2, 4, 7)), type)
                .byteOrder(order)
                .fillValue(FillValue.of(fill))
                .dimensionNames(List.of("t", "y", "x"))
                .attributes(ATTRIBUTES)
                .build();
    }

    private void check(String from, String to, ArraySpec spec, int number) throws IOException, InterruptedException {
        Data data = Data.of(spec, number);
        Path first = directory.resolve(number + "a");
        Path second = directory.resolve(number + "b");
        StoreLocation source = written(data, from, first);
        try (ChunkStore target = create(to, second)) {
            StoreLocation place = target.at(to.equals("hdf5") ? "data" : "");
            Report report = Rechunker.from(source)
                    .to(place)
                    .chunks(3, 5, 2)
                    .maxMem("20MB")
                    .execute();
            compare(source, second, to, data, Loss.sentences(report.losses()));
        } finally {
            source.store().close();
        }
    }

    /** {@return the data in a format, copied from Zarr 2, which has all types} */
    private StoreLocation written(Data data, String format, Path path) throws IOException, InterruptedException {
        Path plain = path.resolveSibling(path.getFileName() + "-plain");
        try (ChunkStore zarr = Zarr.create(plain, ZarrFormat.V2)) {
            data.write(zarr, "", unit -> unit % 3 != 1);
            try (ChunkStore store = create(format, path)) {
                Rechunker.from(zarr)
                        .to(store.at(format.equals("hdf5") ? "data" : ""))
                        .chunks(2, 4, 7)
                        .maxMem("20MB")
                        .execute();
            }
        }
        return Stores.open(path).at(array(format));
    }

    private static String array(String format) {
        return format.equals("hdf5") ? "data" : format.startsWith("ome") ? "0" : "";
    }

    private static void compare(StoreLocation source, Path written, String format, Data data, List<String> losses)
            throws IOException {
        try (ChunkStore target = Stores.open(written);
                ArrayReader before = source.store().openReader(source.path());
                ArrayReader after = target.openReader(array(format))) {
            ArraySpec was = before.spec();
            ArraySpec is = after.spec();
            String all = String.join("\n", losses);
            assertEquals(was.dataType(), is.dataType());
            assertEquals(Shape.of(3, 5, 2), is.chunks().chunkShape());
            assertSameValues(data, before, after);
            List<String> differences = new ArrayList<>();
            if (!was.dimensionNames().equals(is.dimensionNames())) {
                differences.add("dimension");
            }
            int word =
                    was.byteOrder().equals(is.byteOrder()) ? 1 : was.dataType().wordSize();
            int size = was.dataType().itemSize();
            if (!Arrays.equals(
                    was.fillValue().swapped(word).element(size), is.fillValue().element(size))) {
                differences.add("fill value");
            }
            if (!was.missingValue().swapped(word).equals(is.missingValue())) {
                differences.add("missing value");
            }
            for (Map.Entry<String, ?> attribute : was.attributes().entrySet()) {
                if (!attribute.getValue().equals(is.attributes().get(attribute.getKey()))) {
                    differences.add("\"" + attribute.getKey() + "\"");
                }
            }
            for (String difference : differences) {
                assertTrue(all.contains(difference), () -> difference + " is not among the losses:\n" + all);
            }
        }
    }

    private static void assertSameValues(Data data, ArrayReader before, ArrayReader after) throws IOException {
        byte[] first = Data.readAll(before);
        byte[] second = Data.readAll(after);
        if (!before.spec().byteOrder().equals(after.spec().byteOrder())) {
            int size = before.spec().dataType().wordSize();
            for (int at = 0; at < second.length; at += size) {
                for (int i = 0; i < size / 2; i++) {
                    byte swapped = second[at + i];
                    second[at + i] = second[at + size - 1 - i];
                    second[at + size - 1 - i] = swapped;
                }
            }
        }
        data.assertSame(Region.whole(before.spec().shape()), first, second);
    }

    /** Scalars have no axis, so they have a shape that is equal to that of nothing else. */
    @Test
    void scalarsAreCopied() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.FLOAT64)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .build();
        Data data = Data.of(spec, 1);
        List<String> formats = List.of("zarr2", "zarr3", "hdf5");
        for (String from : formats) {
            Path first = directory.resolve(from);
            try (ChunkStore source = create(from, first)) {
                data.write(source, "s");
                source.finish(false);
            }
            for (String to : formats) {
                Path second = directory.resolve(from + "-" + to);
                try (ChunkStore source = Stores.open(first);
                        ChunkStore target = create(to, second)) {
                    Rechunker.from(source)
                            .to(target)
                            .chunks("keep")
                            .maxMem("20MB")
                            .codec("gzip")
                            .execute();
                }
                try (ChunkStore copied = Stores.open(second);
                        ArrayReader reader = copied.openReader("s")) {
                    assertArrayEquals(data.elements(), Data.readAll(reader), from + " to " + to);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5", "hdf5", "ome-zarr"})
    void arraysOfTypesThatTheTargetDoesNotHaveAreLeftOutOfGroups(String format)
            throws IOException, InterruptedException {
        Map<String, DataType> types = new TreeMap<>(OTHERS);
        types.put("plain", DataType.UINT16);
        List<String> missing = new ArrayList<>();
        try (ChunkStore source = Zarr.create(directory.resolve("all"), ZarrFormat.V2);
                ChunkStore target = create(format, directory.resolve("group"))) {
            source.writeGroup("", Map.of("title", "all types"));
            for (Map.Entry<String, DataType> type : types.entrySet()) {
                Data.of(spec(type.getValue(), ByteOrder.LITTLE_ENDIAN, false), 1)
                        .write(source, type.getKey());
                if (!type.getKey().equals("plain") && !has(format, type.getKey())) {
                    missing.add(type.getKey());
                }
            }
            Report report = Rechunker.from(source)
                    .to(target)
                    .chunks("3,5,2")
                    .maxMem("20MB")
                    .execute();
            for (Map.Entry<String, DataType> type : types.entrySet()) {
                boolean isListed = Loss.sentences(report.losses()).stream()
                        .anyMatch(loss -> loss.contains("#" + type.getKey() + ": cannot be stored")
                                && loss.contains(type.getValue().toString()));
                assertEquals(
                        missing.contains(type.getKey()), isListed, type + " in " + Loss.sentences(report.losses()));
                assertEquals(!isListed, target.node(type.getKey()).isPresent(), type.getKey());
            }
            assertEquals(
                    types.keySet().stream()
                            .filter(name -> !missing.contains(name))
                            .toList(),
                    target.children(""));
        }
    }
}
