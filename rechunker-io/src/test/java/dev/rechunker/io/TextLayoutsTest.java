package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts that say where they are go through all pairs of formats that have text, and datasets in the layouts of AnnData
 * and VCF Zarr, see {@code make_layouts.py}, to each of these formats and back.
 */
class TextLayoutsTest {
    private static final int ROWS = 13;
    private static final int COLUMNS = 4;

    /** Lengths around the sizes of objects, of blocks and of pages. */
    private static final int[] LENGTHS = {0, 1, 2, 7, 8, 9, 31, 32, 33, 0, 255, 256, 4095, 4096, 4097, 30_000};

    @TempDir
    Path temporary;

    /** A format that has text of any length. */
    private enum Format {
        ZARR2(".2.zarr"),
        ZARR3(".3.zarr"),
        HDF5(".h5"),
        NETCDF(".nc");

        private final String ending;

        Format(String ending) {
            this.ending = ending;
        }

        ChunkStore create(Path place) {
            return switch (this) {
                case ZARR2 -> Zarr.create(place, ZarrFormat.V2);
                case ZARR3 -> Zarr.create(place, ZarrFormat.V3);
                case HDF5 -> Hdf5.create(place);
                case NETCDF -> Hdf5.createNetcdf4(place);
            };
        }

        ChunkStore open(Path place) throws IOException {
            return this == ZARR2 || this == ZARR3 ? Zarr.open(place) : Hdf5.open(place);
        }
    }

    private static List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            int length = LENGTHS[i % LENGTHS.length];
            StringBuilder text = new StringBuilder(i + (i % 3 == 0 ? "\u00e9\u20ac\ud83d\ude00" : ":"));
            while (text.length() < length) {
                text.append((char) ('a' + i % 26));
            }
            text.setLength(Math.min(length, text.length()));
            if (length > 0 && Character.isHighSurrogate(text.charAt(text.length() - 1))) {
                text.setLength(text.length() - 1);
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static MemoryStore source(List<String> texts) {
        int longest = 0;
        for (String text : texts) {
            longest = Math.max(longest, text.getBytes(StandardCharsets.UTF_8).length);
        }
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(ROWS, COLUMNS), Shape.of(5, 3)),
                        DataType.text().upTo(longest))
                .dimensionNames(List.of("row", "column"))
                .build();
        ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i).getBytes(StandardCharsets.UTF_8);
            elements.position(i * spec.dataType().itemSize())
                    .putInt(text.length)
                    .put(text);
        }
        return new MemoryStore().put("x", spec, elements.array());
    }

    private static void copy(ChunkStore from, ChunkStore to, String chunks) throws IOException, InterruptedException {
        Rechunker.from(from).to(to).chunks(chunks).maxMem("60MB").verify().execute();
    }

    /** {@return a store with a copy of an array at "a"} */
    private static MemoryStore inMemory(ChunkStore store, String path) throws IOException, InterruptedException {
        MemoryStore memory = new MemoryStore();
        Rechunker.from(store.at(path))
                .to(memory.at("a"))
                .chunks("keep")
                .maxMem("60MB")
                .execute();
        return memory;
    }

    private static byte[] elements(ChunkStore store, String path) throws IOException, InterruptedException {
        return inMemory(store, path).elements("a");
    }

    /** Copies texts from each format to each; {@return the last places} */
    private Map<Path, Format> throughAllPairs() throws IOException, InterruptedException {
        MemoryStore memory = source(texts());
        Map<Path, Format> places = new TreeMap<>();
        for (Format first : Format.values()) {
            Path between = temporary.resolve("from" + first.ending);
            try (ChunkStore target = first.create(between)) {
                copy(memory, target, "4, 2");
            }
            for (Format second : Format.values()) {
                Path place = temporary.resolve(first + "-" + second + second.ending);
                try (ChunkStore source = first.open(between);
                        ChunkStore target = second.create(place)) {
                    copy(source, target, "3, 4");
                }
                places.put(place, second);
            }
        }
        return places;
    }

    @Test
    void textsGoThroughAllPairsOfFormats() throws Exception {
        byte[] expected = source(texts()).elements("x");
        for (Map.Entry<Path, Format> place : throughAllPairs().entrySet()) {
            try (ChunkStore store = place.getValue().open(place.getKey())) {
                assertArrayEquals(expected, elements(store, "x"), place.getKey().toString());
            }
        }
    }

    @ReferenceTest
    @Test
    void otherReadersSeeTheTexts() throws Exception {
        Path dumps = Files.createDirectory(temporary.resolve("dumps"));
        Map<Path, Format> places = throughAllPairs();
        List<String> arguments = new ArrayList<>(List.of(dumps.toString()));
        places.keySet().forEach(place -> arguments.add(place.toString()));
        ReferencePrograms.xarray(temporary, "text/read_text.py", arguments.toArray(String[]::new));
        Path modules = Path.of(Objects.requireNonNull(System.getenv("RECHUNKER_NODE_MODULES")), "node_modules");
        Files.createSymbolicLink(temporary.resolve("node_modules"), modules);
        List<String> zarrita = new ArrayList<>(List.of(
                "node",
                ReferencePrograms.script("text/read_text.mjs", temporary).toString(),
                dumps.toString()));
        places.keySet().stream()
                .map(Path::toString)
                .filter(name -> name.endsWith(".zarr"))
                .forEach(zarrita::add);
        ReferencePrograms.run(temporary, zarrita);
        Set<String> readers = new TreeSet<>();
        try (var files = Files.list(dumps)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String name = String.valueOf(file.getFileName());
                assertEquals(texts(), JsonParser.value(name, Files.readString(file)), name);
                readers.add(name.replaceAll(".*\\.(\\w+)\\.json", "$1"));
            }
        }
        assertEquals(Set.of("zarr", "h5py", "netcdf", "xarray", "zarrita"), readers);
    }

    private static List<String> arrays(ChunkStore store, String path) throws IOException {
        List<String> arrays = new ArrayList<>();
        for (String child : store.children(path)) {
            String below = path.isEmpty() ? child : path + "/" + child;
            if (store.node(below).orElseThrow() instanceof GroupNode) {
                arrays.addAll(arrays(store, below));
            } else {
                arrays.add(below);
            }
        }
        return arrays;
    }

    /** {@return the text at a position as make_layouts.py makes it} */
    private static String text(String name, int i) {
        return i % 5 == 4
                ? ""
                : name + i + List.of("", "\u00e9", "\u20ac", "\ud83d\ude00").get(i % 5);
    }

    private static List<String> decoded(ChunkStore store, String path) throws IOException, InterruptedException {
        MemoryStore memory = inMemory(store, path);
        int size =
                ((ArrayNode) memory.node("a").orElseThrow()).spec().dataType().itemSize();
        ByteBuffer all = ByteBuffer.wrap(memory.elements("a")).order(ByteOrder.LITTLE_ENDIAN);
        List<String> texts = new ArrayList<>();
        for (int at = 0; at < all.capacity(); at += size) {
            texts.add(new String(all.array(), at + DataType.LENGTH_SIZE, all.getInt(at), StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static void assertTexts(ChunkStore store, String path, String name, int count)
            throws IOException, InterruptedException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            expected.add(text(name, i));
        }
        assertEquals(expected, decoded(store, path), path);
    }

    private static void check(String layout, ChunkStore store) throws IOException, InterruptedException {
        if (layout.startsWith("vcf")) {
            assertTexts(store, "sample_id", "sample", 12);
            assertTexts(store, "contig_id", "contig", 3);
            assertTexts(store, "variant_allele", "allele", 200);
            assertTexts(store, "variant_id", "variant", 50);
            return;
        }
        assertTexts(store, "var/symbol", "symbol", 23);
        assertTexts(store, "obs/note", "note", 40);
        assertTexts(store, "uns/labels", "label", 9);
        assertEquals(List.of(text("title", 3)), decoded(store, "uns/title"));
        assertEquals(
                List.of(text("type", 0), text("type", 1), text("type", 2), text("type", 3)),
                decoded(store, "obs/type/categories"));
        assertEquals("cell39", decoded(store, "obs/_index").get(39));
        assertEquals(
                "categorical",
                ((GroupNode) store.node("obs/type").orElseThrow()).attributes().get("encoding-type"));
    }

    private ChunkStore layout(String name) throws IOException {
        Path place = temporary.resolve("layouts").resolve(name);
        if (!Files.exists(place)) {
            Fixtures.copy("text/layouts", temporary, true);
        }
        return name.endsWith(".zarr") ? Zarr.open(place) : Hdf5.open(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {"anndata2.zarr", "anndata3.zarr", "anndata.h5ad", "vcf.zarr"})
    void datasetsGoToAllFormatsAndBack(String name) throws Exception {
        try (ChunkStore source = layout(name)) {
            check(name, source);
            List<String> arrays = arrays(source, "");
            assertTrue(arrays.size() >= 10, arrays.toString());
            for (Format format : Format.values()) {
                Path place = temporary.resolve("there" + format.ending);
                try (ChunkStore target = format.create(place)) {
                    copy(source, target, "auto");
                }
                Path back = temporary.resolve("back" + format.ending);
                try (ChunkStore there = format.open(place);
                        ChunkStore target = name.endsWith(".zarr") ? Zarr.create(back) : Hdf5.create(back)) {
                    check(name, there);
                    copy(there, target, "keep");
                }
                try (ChunkStore returned = name.endsWith(".zarr") ? Zarr.open(back) : Hdf5.open(back)) {
                    check(name, returned);
                    for (String path : arrays) {
                        if (format != Format.NETCDF) { // netCDF has no booleans
                            assertArrayEquals(elements(source, path), elements(returned, path), path + " " + format);
                        }
                    }
                }
            }
        }
    }

    @Test
    void aDatasetWithTextGoesThroughABucket() throws Exception {
        try (S3Server server = S3Server.startUnsigned();
                ChunkStore source = layout("anndata3.zarr")) {
            String place =
                    "s3://" + server.bucket() + "/some/data.zarr?endpoint=" + server.address() + "&anonymous=true";
            try (ChunkStore target = Zarr.create(Stores.keys(place))) {
                copy(source, target, "auto");
            }
            try (ChunkStore stored = Zarr.open(Stores.keys(place))) {
                check("anndata", stored);
                for (String path : arrays(source, "")) {
                    assertArrayEquals(elements(source, path), elements(stored, path), path);
                }
            }
        }
    }
}
