package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tables of codecs in the documentation name all codecs that a format has in the code, and no others; an array with
 * each of them is written, opened again and compared, and those that a table denies are refused.
 */
class CodecTablesTest {
    private static final Page ZARR = page("zarr");

    /** The options of codecs that need some, for float32; for packbits, bool. */
    private static final Map<String, String> OPTIONS = Map.of(
            "shuffle", "elementsize=4",
            "delta", "dtype=<f4",
            "fixedscaleoffset", "offset=1,scale=2,dtype=<f4",
            "astype", "encode_dtype=<f8,decode_dtype=<f4",
            "quantize", "digits=3,dtype=<f4",
            "bitround", "keepbits=12",
            "cast_value", "data_type=int16",
            "scale_offset", "offset=1,scale=2");

    @TempDir
    Path temporary;

    private int targets;

    private static Page page(String format) {
        try {
            return Page.read(Page.DOCS.resolve("formats").resolve(format + ".md"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates a target in an empty place. */
    private interface Creation {
        ChunkStore at(Path place) throws IOException;
    }

    private Path place(String ending) {
        return temporary.resolve(targets++ + ending);
    }

    private static MemoryStore source(boolean booleans, CodecSpec... codecs) {
        DataType type = booleans ? DataType.BOOL : DataType.FLOAT32;
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(10, 12), Shape.of(4, 5)), type)
                .codecs(List.of(codecs))
                .build();
        ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes()).order(spec.byteOrder());
        for (int i = 0; elements.hasRemaining(); i++) {
            if (booleans) {
                elements.put((byte) (i % 3 % 2));
            } else {
                elements.putFloat(i % 50 + 1);
            }
        }
        return new MemoryStore().put("x", spec, elements.array());
    }

    /** Copies an array to a target that has a codec, and compares it; {@return the codecs of the array there} */
    private static List<String> copied(String codec, Path place, Creation creation, Creation opening)
            throws IOException, InterruptedException {
        String options = OPTIONS.get(codec);
        try (ChunkStore target = creation.at(place)) {
            Rechunker.from(source(codec.equals("packbits")))
                    .to(target)
                    .chunks("keep")
                    .maxMem("50MB")
                    .codec(options == null ? codec : codec + ":" + options)
                    .verify()
                    .execute();
        }
        try (ChunkStore reopened = opening.at(place)) {
            return ((ArrayNode) reopened.node("x").orElseThrow())
                    .spec().codecs().stream().map(CodecSpec::name).toList();
        }
    }

    private static Set<String> codecs(Predicate<CodecInfo> condition) {
        return Codecs.all().stream()
                .filter(condition)
                .map(CodecInfo::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return the cells of the table of codecs of Zarr by the name of a codec} */
    private static Map<String, List<String>> zarrRows() {
        Map<String, List<String>> rows = new TreeMap<>();
        for (List<String> row : ZARR.table("codec", "Zarr 2", "Zarr 3")) {
            for (String name : row.get(0).replaceAll(" with .*", "").split(", ")) {
                rows.put(name.equals("packbits of the registry") ? "zarr3.packbits" : name, row);
            }
        }
        return rows;
    }

    private static Set<String> supported(Map<String, List<String>> rows, int column) {
        Set<String> names = new TreeSet<>();
        rows.forEach((name, cells) -> {
            if (!cells.get(column).equals("no")) {
                names.add(name);
            }
        });
        return names;
    }

    /** json2 is with the types of variable length. */
    @Test
    void zarrHasTheCodecsOfItsTable() {
        Set<String> two = codecs(CodecInfo::isInNumcodecs);
        two.remove("json2");
        two.add("transpose");
        assertEquals(two, supported(zarrRows(), 1));
        Set<String> three = codecs(codec -> codec.isInNumcodecs() || codec.isInZarr3());
        three.remove("json2");
        three.add("sharding_indexed");
        assertEquals(three, supported(zarrRows(), 2));
    }

    @Test
    void zarrStoresWhatItsTableSays() throws Exception {
        Map<String, List<String>> rows = zarrRows();
        rows.remove("transpose");
        rows.remove("sharding_indexed");
        for (ZarrFormat format : ZarrFormat.values()) {
            Set<String> supported = supported(rows, format == ZarrFormat.V2 ? 1 : 2);
            for (String codec : rows.keySet()) {
                Path place = place(".zarr");
                Creation creation = at -> Zarr.create(at, format);
                if (supported.contains(codec)) {
                    assertEquals(List.of(codec), copied(codec, place, creation, Zarr::open), format.toString());
                } else {
                    assertThrows(
                            IOException.class,
                            () -> copied(codec, place, creation, Zarr::open),
                            () -> codec + " in " + format);
                }
            }
        }
    }

    @Test
    void ordersAndShardsAreAsInTheTable() throws Exception {
        CodecSpec transpose = CodecSpec.of("transpose").with("order", List.of(1L, 0L));
        for (ZarrFormat format : ZarrFormat.values()) {
            Path place = place(".zarr");
            Rechunker.from(source(false, transpose))
                    .to(Zarr.create(place, format))
                    .chunks("keep")
                    .maxMem("50MB")
                    .verify()
                    .execute();
            assertEquals(
                    List.of(transpose),
                    ((ArrayNode) Zarr.open(place).node("x").orElseThrow())
                            .spec()
                            .codecs());
            Path shards = place(".zarr");
            Rechunker.Job sharded = Rechunker.from(source(false))
                    .to(Zarr.create(shards, format))
                    .chunks("keep")
                    .maxMem("50MB")
                    .shards("8, 10");
            if (supported(zarrRows(), format == ZarrFormat.V2 ? 1 : 2).contains("sharding_indexed")) {
                sharded.verify().execute();
                assertTrue(((ArrayNode) Zarr.open(shards).node("x").orElseThrow())
                        .spec()
                        .shards()
                        .isPresent());
            } else {
                assertThrows(IOException.class, sharded::execute);
            }
        }
    }

    @Test
    void n5HasTheCompressionsOfItsTable() throws Exception {
        Map<String, String> documented = new TreeMap<>();
        for (List<String> row : page("n5").table("N5", "codec name here")) {
            if (!row.get(0).equals("`raw`")) {
                documented.put(token(row.get(1)), token(row.get(0)));
            }
        }
        Map<String, String> types = new TreeMap<>();
        for (CodecInfo codec : Codecs.all()) {
            codec.n5().ifPresent(n5 -> types.put(codec.name(), n5.type()));
        }
        assertEquals(types, documented);
        for (String codec : documented.keySet()) {
            assertEquals(List.of(codec), copied(codec, place(".n5"), N5::create, N5::open));
        }
        for (String codec : codecs(codec -> codec.n5().isEmpty() && Codecs.isSupported(codec.name()))) {
            if (!codec.equals("transpose") && !codec.equals("bytes") && !codec.equals("json2")) {
                assertThrows(IOException.class, () -> copied(codec, place(".n5"), N5::create, N5::open), codec);
            }
        }
    }

    /** {@return the text of a cell between the first marks of code} */
    private static String token(String cell) {
        return cell.split("`")[1];
    }

    /** {@return the cells of a row of a table, by its first cell} */
    private static List<String> row(List<List<String>> table, String first) {
        return table.stream()
                .filter(row -> row.get(0).equals(first))
                .findFirst()
                .orElseThrow();
    }

    /** The filters are read in the tests of HDF5, from files of other writers. */
    @Test
    void hdf5HasTheFiltersOfItsTable() throws Exception {
        Page page = page("hdf5");
        Set<String> documented = new TreeSet<>();
        String cell = row(page.table("", "read"), "filters").get(1).replaceAll(" \\([^)]*\\)", "");
        for (String name : cell.replace("the registered filters ", "").split("[,;] ")) {
            documented.add(name);
        }
        Set<String> filters = new TreeSet<>();
        for (CodecInfo codec : Codecs.all()) {
            codec.hdf5()
                    .ifPresent(filter -> filters.add(
                            filter.name() + (filter.id() < 256 || filter.id() == 32000 ? "" : " " + filter.id())));
        }
        assertEquals(filters, documented);

        List<String> written = row(page.table("", "written"), "filters");
        for (String name : written.get(1)
                .replaceAll(" \\([^)]*\\)", "")
                .replace(", each at most once and in this order", "")
                .split(", ")) {
            assertEquals(List.of(name), copied(name, place(".h5"), Hdf5::create, Hdf5::open));
        }
        for (String name : written.get(2).replace(", ...", "").split(", ")) {
            assertThrows(IOException.class, () -> copied(name, place(".h5"), Hdf5::create, Hdf5::open), name);
        }
    }

    /** N5's lz4 is that of another library, but not another compressor. */
    @Test
    void theReadmeNamesTheCompressors() throws IOException {
        String cell = row(Page.read(Path.of("README.md")).table("", "supported"), "compression")
                .get(1);
        List<String> named = new ArrayList<>(List.of(
                cell.substring(0, cell.indexOf(';')).replace("Blosc 1", "blosc").split(", ")));
        Set<String> compressors =
                codecs(codec -> codec.kind() == CodecInfo.Kind.COMPRESSOR && Codecs.isSupported(codec.name()));
        compressors.remove("lz4block");
        assertEquals(compressors, new TreeSet<>(named));
        assertEquals(
                Stream.of("filters", "numcodecs", "HDF5").filter(cell::contains).count(), 3);
    }
}
