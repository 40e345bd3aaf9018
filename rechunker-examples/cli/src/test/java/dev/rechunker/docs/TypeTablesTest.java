package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.NamedType;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.UnsupportedArrayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tables of types and grids in the documentation name all that a format has in the code: an array of each type is
 * written, opened again and compared, is stored under a name in the table, and is refused where the table denies it.
 */
class TypeTablesTest {
    private static final List<DataType> INTEGERS = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64);
    private static final List<DataType> FLOATS = List.of(DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64);
    private static final List<DataType> COMPLEX = List.of(DataType.COMPLEX64, DataType.COMPLEX128);
    private static final List<DataType> TIMES = List.of(DataType.datetime64("ns"), DataType.timedelta64("25s"));
    private static final DataType RECORD = DataType.opaque(6, "[[\"a\",\"<i4\"],[\"b\",\"<u2\"]]");

    /** The types that the first cells of the tables mean. */
    private static final Map<String, List<DataType>> MEANT = Map.ofEntries(
            Map.entry("bool", List.of(DataType.BOOL)),
            Map.entry("integers of 8 to 64 bits", INTEGERS),
            Map.entry("floats", FLOATS),
            Map.entry("floats of 16 to 64", FLOATS),
            Map.entry("complex", COMPLEX),
            Map.entry("bytes of fixed length", List.of(DataType.bytes(5))),
            Map.entry("text of fixed length", List.of(DataType.unicode(3))),
            Map.entry("text and bytes of fixed length", List.of(DataType.bytes(5), DataType.unicode(3))),
            Map.entry("dates", TIMES),
            Map.entry("dates and durations", TIMES),
            Map.entry("datetime64 and timedelta64", TIMES),
            Map.entry("raw bytes", List.of(DataType.opaque(3, ""))),
            Map.entry("records", List.of(RECORD)),
            Map.entry("records of these and of arrays of them", List.of(RECORD)),
            Map.entry("text in UTF-8", List.of(DataType.text())),
            Map.entry("text", List.of(DataType.text())),
            Map.entry("bytes", List.of(DataType.binary())),
            Map.entry("sequences of numbers", List.of(DataType.sequence(DataType.INT16))),
            Map.entry(
                    "text, bytes and sequences of any length",
                    List.of(DataType.text(), DataType.binary(), DataType.sequence(DataType.FLOAT32))),
            Map.entry(
                    "text, bytes and sequences of variable length",
                    List.of(DataType.text(), DataType.binary(), DataType.sequence(DataType.FLOAT32))),
            Map.entry("UTF-32 text", List.of(DataType.unicode(3))),
            // Hints of integers, and types that only files of HDF5 have.
            Map.entry("enumerations", List.of()),
            Map.entry("bit fields", List.of()),
            Map.entry("references", List.of()),
            Map.entry("references to objects and regions", List.of()));

    @TempDir
    Path temporary;

    private int targets;

    private static Page page(String format) throws IOException {
        return Page.read(Page.DOCS.resolve("formats").resolve(format + ".md"));
    }

    private static List<DataType> meant(String cell) {
        List<DataType> types = MEANT.get(cell);
        if (types == null) {
            throw new AssertionError("the test does not know what the cell means: " + cell);
        }
        return types;
    }

    private static List<DataType> small() {
        return NamedType.all().stream().map(NamedType::dataType).toList();
    }

    private static MemoryStore source(DataType type) {
        DataType measured = type.isVariable() ? type.upTo(4) : type;
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(7), Shape.of(3)), measured)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .build();
        ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; elements.hasRemaining(); i++) {
            switch (type.kind()) {
                case BOOL -> elements.put((byte) (i % 2));
                case UNICODE -> elements.putInt('a' + i);
                case BYTES -> elements.put((byte) ('a' + i % 20));
                case TEXT, BINARY, SEQUENCE -> elements.putInt(4).putInt('a' | 'b' << 8 | 'c' << 16 | 'd' << 24);
                default -> elements.put((byte) (i % 2 == 0 ? 1 : 0));
            }
        }
        return new MemoryStore().put("x", spec, elements.array());
    }

    private static ArraySpec spec(ChunkStore store) throws IOException {
        return ((ArrayNode) store.node("x").orElseThrow()).spec();
    }

    /** Copies an array of a type to a target, opens that and compares; {@return the place} */
    private Path copied(DataType type, Creation creation, Creation opening, String ending)
            throws IOException, InterruptedException {
        Path place = temporary.resolve(targets++ + ending);
        MemoryStore source = source(type);
        try (ChunkStore target = creation.at(place)) {
            Rechunker.from(source)
                    .to(target)
                    .chunks("keep")
                    .maxMem("50MB")
                    .verify()
                    .execute();
        }
        try (ChunkStore reopened = opening.at(place)) {
            DataType stored = spec(reopened).dataType();
            assertEquals(type.kind(), stored.kind());
            if (!type.isVariable()) {
                assertEquals(type.itemSize(), stored.itemSize());
                assertEquals(type.detail().isEmpty(), stored.detail().isEmpty());
            }
            MemoryStore back = new MemoryStore();
            Rechunker.from(reopened)
                    .to(back)
                    .chunks("keep")
                    .maxMem("50MB")
                    .verify()
                    .execute();
            assertArrayEquals(source.elements("x"), back.elements("x"));
        }
        return place;
    }

    private interface Creation {
        ChunkStore at(Path place) throws IOException;
    }

    /** {@return the name of the type in the metadata of an array, and that of the filter for elements of any length} */
    private static List<String> names(Path zarr, ZarrFormat format) throws IOException {
        Path file = zarr.resolve("x").resolve(format == ZarrFormat.V2 ? ".zarray" : "zarr.json");
        Document document = new Document("x", JsonParser.object("x", Files.readAllBytes(file)));
        Object type = document.get(format == ZarrFormat.V2 ? "dtype" : "data_type");
        List<String> names = new ArrayList<>();
        names.add(
                type instanceof Map<?, ?> extension
                        ? String.valueOf(extension.get("name"))
                        : type instanceof List<?> ? "list of fields" : String.valueOf(type));
        Object filters = document.get(format == ZarrFormat.V2 ? "filters" : "codecs");
        for (Object filter : filters instanceof List<?> list ? list : List.of()) {
            Object name = ((Map<?, ?>) filter).get(format == ZarrFormat.V2 ? "id" : "name");
            if (String.valueOf(name).startsWith("vlen-")) {
                names.add(String.valueOf(name));
            }
        }
        return names;
    }

    /** {@return a name without byte order, unit and number of bytes or bits} */
    private static String stem(String name) {
        return name.replaceAll("^[<>|]|\\[.*|\\d+$", "");
    }

    private static void assertNamed(String name, String cell) {
        assertTrue(
                cell.contains(name)
                        || Pattern.compile("`([^`]*)`")
                                .matcher(cell)
                                .results()
                                .anyMatch(token -> stem(token.group(1)).equals(stem(name))),
                () -> name + " is not in the table: " + cell);
    }

    private void check(List<DataType> types, String cell, ZarrFormat format) throws Exception {
        Creation creation = place -> Zarr.create(place, format);
        for (DataType type : types) {
            if (cell.equals("no")) {
                ArraySpec spec = spec(source(type));
                assertThrows(
                        UnsupportedArrayException.class,
                        () -> creation.at(temporary.resolve("refused")).resolve(spec),
                        () -> type + " in " + format);
                continue;
            }
            for (String name : names(copied(type, creation, Zarr::open, ".zarr"), format)) {
                if (!name.equals("|O")) {
                    assertNamed(name, cell);
                }
            }
        }
    }

    @Test
    void zarrStoresTheTypesOfItsTables() throws Exception {
        Page page = page("zarr");
        Set<DataType.Kind> kinds = EnumSet.noneOf(DataType.Kind.class);
        List<List<String>> rows = new ArrayList<>(page.table("type", "Zarr 2", "Zarr 3"));
        List<String> last = rows.remove(rows.size() - 1);
        rows.addAll(page.table("elements"));
        for (List<String> row : rows) {
            meant(row.get(0)).forEach(type -> kinds.add(type.kind()));
            check(meant(row.get(0)), row.get(1), ZarrFormat.V2);
            check(meant(row.get(0)), row.get(2), ZarrFormat.V3);
        }
        assertEquals(EnumSet.allOf(DataType.Kind.class), kinds);

        Set<String> patterns = new TreeSet<>();
        Pattern.compile("`([^`]*)`").matcher(last.get(0)).results().forEach(token -> patterns.add(token.group(1)));
        Set<String> unused = new TreeSet<>(patterns);
        for (DataType type : small()) {
            String name = type.name();
            List<String> matching = patterns.stream()
                    .filter(pattern -> name.equals(pattern)
                            || (pattern.endsWith("*") && name.startsWith(pattern.substring(0, pattern.length() - 1)))
                            || (pattern.equals("complex_") && name.startsWith(pattern)))
                    .toList();
            assertFalse(matching.isEmpty(), name);
            matching.forEach(unused::remove);
            assertEquals(List.of(name), names(copied(type, Zarr::create, Zarr::open, ".zarr"), ZarrFormat.V3));
        }
        assertEquals(Set.of(), unused);
        check(small(), last.get(1), ZarrFormat.V2);
    }

    /** {@return the parts of a cell between separators that are not in parentheses, without parentheses and links} */
    private static List<String> parts(String cell, String separator) {
        String plain = cell.replaceAll("\\]\\([^)]*\\)", "").replace("[", "").replaceAll(" \\([^)]*\\)", "");
        return List.of(plain.split(separator));
    }

    @Test
    void hdf5StoresTheTypesOfItsTable() throws Exception {
        List<String> row = page("hdf5").table("", "written").stream()
                .filter(cells -> cells.get(0).equals("types"))
                .findFirst()
                .orElseThrow();
        Set<DataType.Kind> kinds = EnumSet.noneOf(DataType.Kind.class);
        List<String> written = new ArrayList<>();
        for (String part : parts(row.get(1), "; ")) {
            written.addAll(MEANT.containsKey(part) ? List.of(part) : List.of(part.split(", ")));
        }
        for (String part : written) {
            for (DataType type : meant(part)) {
                kinds.add(type.kind());
                copied(type, Hdf5::create, Hdf5::open, ".h5");
            }
        }
        for (String part : parts(row.get(2), ", ")) {
            for (DataType type : meant(part)) {
                kinds.add(type.kind());
                ArraySpec spec = spec(source(type));
                assertThrows(
                        UnsupportedArrayException.class,
                        () -> Hdf5.create(temporary.resolve("x.h5")).resolve(spec));
            }
        }
        assertEquals(EnumSet.allOf(DataType.Kind.class), kinds);
    }

    @Test
    void zarrReadsAndWritesTheGridsOfItsTable() throws Exception {
        Map<String, String> settings = Map.of(
                "regular", "{\"chunk_shape\":[3]}",
                "rectilinear", "{\"kind\":\"inline\",\"chunk_shapes\":[[3,1,[2,2]]]}",
                "rectangular", "{\"chunk_shape\":[[3,1,2,2]]}");
        Set<String> named = new TreeSet<>();
        for (List<String> row : page("zarr").table("grid of Zarr 3")) {
            String name = row.get(0).split("`")[1];
            named.add(name);
            assertTrue(row.get(1).equals("yes"), name);
            Path place = temporary.resolve(name);
            writeGrid(place, name, settings.getOrDefault(name, "{}"));
            ChunkStore store = Zarr.open(place);
            assertEquals(name.equals("regular"), spec(store).chunks().isRegular());
            Path copy = temporary.resolve("copy-" + name);
            Rechunker.from(store)
                    .to(Zarr.create(copy))
                    .chunks("keep")
                    .maxMem("50MB")
                    .verify()
                    .execute();
            String written = Files.readString(copy.resolve("x").resolve("zarr.json"));
            String kept = row.get(2).startsWith("yes") ? name : row.get(2).split("`")[1];
            assertTrue(written.replaceAll("\\s", "").contains("\"name\":\"" + kept + "\""), written);
        }
        assertEquals(settings.keySet(), named);
        writeGrid(temporary.resolve("other"), "other", "{}");
        IOException e = assertThrows(
                IOException.class, () -> Zarr.open(temporary.resolve("other")).node("x"));
        assertTrue(String.valueOf(e.getMessage()).contains("other"), e.getMessage());
    }

    private static void writeGrid(Path place, String name, String configuration) throws IOException {
        Files.createDirectories(place.resolve("x"));
        Files.writeString(
                place.resolve("x").resolve("zarr.json"),
                "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[8],\"data_type\":\"int32\",\"fill_value\":1,"
                        + "\"chunk_grid\":{\"name\":\"" + name + "\",\"configuration\":" + configuration + "},"
                        + "\"chunk_key_encoding\":{\"name\":\"default\"},"
                        + "\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]}",
                StandardCharsets.UTF_8);
    }

    /** The README names the types of all formats together; its table is read with Zarr, which has most of them. */
    @Test
    void theReadmeNamesTheTypes() throws Exception {
        String cell = Page.read(Path.of("README.md")).table("", "supported").stream()
                .filter(row -> row.get(0).equals("types"))
                .findFirst()
                .orElseThrow()
                .get(1);
        assertTrue(cell.contains("`--text`"), cell);
        Set<DataType.Kind> kinds = EnumSet.noneOf(DataType.Kind.class);
        Map<String, List<DataType>> found = new LinkedHashMap<>();
        for (String part : parts(cell, "; ")) {
            String phrase = part.replaceAll(" of (Zarr|N5|HDF5).*", "");
            if (!phrase.contains("`--text`")) {
                found.put(phrase, meant(phrase));
            }
        }
        for (List<DataType> types : found.values()) {
            for (DataType type : types) {
                kinds.add(type.kind());
                copied(type, place -> Zarr.create(place, ZarrFormat.V2), Zarr::open, ".zarr");
            }
        }
        assertEquals(EnumSet.allOf(DataType.Kind.class), kinds);
    }
}
