package dev.rechunker.io.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What netCDF says of groups and arrays survives a copy to a format of JSON documents and back. */
class GroupNotesTest {
    private static final FillValue MISSING =
            FillValue.of(ByteBuffer.allocate(4).putFloat(-999).array());

    private enum Format {
        ZARR2 {
            @Override
            ChunkStore open(KeyStore keys) {
                return Zarr.create(keys, ZarrFormat.V2);
            }
        },
        ZARR3 {
            @Override
            ChunkStore open(KeyStore keys) {
                return Zarr.create(keys, ZarrFormat.V3);
            }
        },
        N5 {
            @Override
            ChunkStore open(KeyStore keys) {
                return dev.rechunker.io.n5.N5.create(keys);
            }
        };

        abstract ChunkStore open(KeyStore keys);
    }

    private static Map<String, AttributeType> types(String... namesAndTypes) {
        Map<String, AttributeType> types = new LinkedHashMap<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            types.put(
                    namesAndTypes[i], AttributeType.parse(namesAndTypes[i + 1]).orElseThrow());
        }
        return types;
    }

    private static Map<String, @Nullable Object> attributes(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            attributes.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return attributes;
    }

    private static final ArraySpec ARRAY = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(2, 3), Shape.of(1, 3)), DataType.FLOAT32)
            .byteOrder(ByteOrder.BIG_ENDIAN)
            .missingValue(MISSING)
            .dimensionNames(List.of("time", "x"))
            .attributes(attributes(
                    "scale_factor",
                    0.5,
                    "flags",
                    List.of(1L, 2L),
                    "one",
                    5L,
                    "list",
                    List.of(5L),
                    "empty",
                    List.of(),
                    "none",
                    null,
                    "matrix",
                    List.of(List.of(1L), List.of(2L)),
                    "missing_value",
                    Double.NaN,
                    "range",
                    List.of(Double.NEGATIVE_INFINITY, 1.0),
                    "texts",
                    List.of("a", "b"),
                    "text",
                    "a",
                    "word",
                    "NaN",
                    "plain",
                    1L))
            .attributeTypes(types(
                    "scale_factor", "float32[1]",
                    "flags", "int8[2]",
                    "one", "int16[1]",
                    "list", "uint8[1]",
                    "empty", "int32[0]",
                    "none", "float64[null]",
                    "matrix", "int64[2, 1]",
                    "missing_value", "float32[1]",
                    "range", "float64[2]",
                    "text", "string[1]"))
            .build();

    private static final GroupSpec GROUP = GroupSpec.of(attributes("version", 3L, "bad", Double.NaN))
            .withAttributeTypes(types("version", "int16[1]", "bad", "float64[1]"))
            .withDimensions(List.of(
                    new Dimension("time", 2, true), new Dimension("x", 3, false), new Dimension("lonely", 7, false)));

    private static MemoryStore source() throws IOException {
        MemoryStore store = new MemoryStore();
        store.writeGroup("", GROUP, false);
        store.put("a", ARRAY, new byte[24]);
        store.writeGroup("g", GroupSpec.of(Map.of()).withDimensions(List.of(new Dimension("z", 3, true))), false);
        ArraySpec below = ARRAY.toBuilder()
                .attributes(Map.of("one", 5L))
                .dimensionNames(List.of("time", "z"))
                .build();
        store.put("g/b", below, new byte[24]);
        return store;
    }

    private static void copy(StoreLocation from, StoreLocation to) throws Exception {
        Rechunker.from(from).to(to).chunks("keep").maxMem("10MB").execute();
    }

    private static ArraySpec array(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static GroupSpec group(ChunkStore store, String path) throws IOException {
        return ((GroupNode) store.node(path).orElseThrow()).spec();
    }

    private static void assertSame(ArraySpec wanted, ArraySpec found) {
        assertEquals(wanted.attributes(), found.attributes());
        assertEquals(wanted.attributeTypes(), found.attributeTypes());
        assertEquals(wanted.missingValue(), found.missingValue());
        assertEquals(wanted.dimensionNames(), found.dimensionNames());
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void groupsAndArraysComeBack(Format format) throws Exception {
        KeyStore keys = new MemoryKeys();
        copy(source().at(""), format.open(keys).at(""));
        MemoryStore back = new MemoryStore();
        copy(format.open(keys).at(""), back.at(""));
        assertEquals(group(source(), ""), group(back, ""));
        assertEquals(group(source(), "g"), group(back, "g"));
        assertSame(ARRAY, array(back, "a"));
        assertSame(array(source(), "g/b"), array(back, "g/b"));
        assertEquals(Set.of(0), array(back, "a").unlimitedAxes());
        assertEquals(Set.of(0, 1), array(back, "g/b").unlimitedAxes(), "of the group and of one above");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void nothingOfThatIsALoss(Format format) throws Exception {
        MemoryStore store = new MemoryStore();
        store.writeGroup("", GROUP, false);
        store.put(
                "a",
                format == Format.ZARR2 ? ARRAY.toBuilder().fillValue(MISSING).build() : ARRAY,
                new byte[24]);
        assertEquals(
                List.of(),
                Rechunker.from(store.at(""))
                        .to(format.open(new MemoryKeys()).at(""))
                        .chunks("keep")
                        .maxMem("10MB")
                        .plan()
                        .losses());
    }

    /** An array that is copied alone is in a group that is not, or in none. */
    @ParameterizedTest
    @EnumSource(Format.class)
    void arrayThatIsCopiedAloneKeepsTypes(Format format) throws Exception {
        for (String path : List.of("", "a", "g/h/a")) {
            KeyStore keys = new MemoryKeys();
            Rechunker.from(source().at("a"))
                    .to(format.open(keys).at(path))
                    .chunks("keep")
                    .maxMem("10MB")
                    .only()
                    .execute();
            assertSame(ARRAY, array(format.open(keys), path));
            ChunkStore store = format.open(keys);
            assertEquals(array(store, path), store.openReader(path).spec());
            assertEquals(array(store, path), store.resolve(ARRAY));
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void groupKeepsWhatItSaysOfArrays(Format format) throws Exception {
        KeyStore keys = new MemoryKeys();
        copy(source().at("a"), format.open(keys).at("g/a"));
        format.open(keys).writeGroup("g", Map.of("later", 1L));
        assertSame(ARRAY, array(format.open(keys), "g/a"));
        assertEquals(Map.of("later", 1L), group(format.open(keys), "g").attributes());

        MemoryStore other = new MemoryStore();
        ArraySpec untyped = ARRAY.toBuilder()
                .attributeTypes(Map.of())
                .attributes(Map.of("one", 5L))
                .build();
        other.put("a", untyped, new byte[24]);
        Rechunker.from(other.at("a"))
                .to(format.open(keys).at("g/a"))
                .chunks("keep")
                .maxMem("10MB")
                .overwrite()
                .execute();
        assertEquals(Map.of(), array(format.open(keys), "g/a").attributeTypes(), "the older notes are gone");
    }

    /** xarray hides attributes of groups that begin with _nc, but not those of arrays in Zarr 3. */
    @ParameterizedTest
    @EnumSource(Format.class)
    void documentsOfArraysInGroupsHaveNoNotes(Format format) throws Exception {
        MemoryKeys keys = new MemoryKeys();
        copy(source().at(""), format.open(keys).at(""));
        String name = format == Format.ZARR2 ? ".zattrs" : format == Format.ZARR3 ? "zarr.json" : "attributes.json";
        assertFalse(text(keys, "a/" + name).contains("_nc"), text(keys, "a/" + name));
        assertTrue(text(keys, name).contains("_nc_types"));
        for (String document : List.of(name, "a/" + name)) {
            assertFalse(text(keys, document).matches("(?s).*: (NaN|-?Infinity).*"), text(keys, document));
        }
    }

    private static String text(KeyStore keys, String key) throws IOException {
        try (ByteSource source = keys.open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }

    /** xarray opens no array of Zarr 3 with the attribute _FillValue if its elements are text. */
    @Test
    void missingTextIsKeptWithTheGroupInZarr3() throws Exception {
        ArraySpec text = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.bytes(1))
                .missingValue(FillValue.of((byte) '-'))
                .dimensionNames(List.of("x"))
                .build();
        MemoryStore store = new MemoryStore();
        store.put("a", text, new byte[2]);
        for (String path : List.of("", "a")) {
            MemoryKeys keys = new MemoryKeys();
            copy(store.at("a"), Format.ZARR3.open(keys).at(path));
            assertEquals(text.missingValue(), array(Zarr.open(keys), path).missingValue());
            String document = text(keys, path.isEmpty() ? "zarr.json" : "a/zarr.json");
            assertEquals(path.isEmpty(), document.contains("_FillValue"));
        }
    }

    @Test
    void missingTextOfAnyLengthIsKeptWithTheGroupInZarr3() throws Exception {
        ArraySpec text = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(2), Shape.of(2)),
                        DataType.text().upTo(3))
                .missingValue(FillValue.ofContents("n/a".getBytes(StandardCharsets.UTF_8)))
                .dimensionNames(List.of("x"))
                .build();
        MemoryStore store = new MemoryStore();
        store.put("a", text, new byte[14]);
        MemoryKeys keys = new MemoryKeys();
        copy(store.at("a"), Format.ZARR3.open(keys).at("a"));
        assertEquals(text.missingValue(), array(Zarr.open(keys), "a").missingValue());
        assertEquals(false, text(keys, "a/zarr.json").contains("_FillValue"));
        MemoryKeys back = new MemoryKeys();
        copy(Zarr.open(keys).at("a"), Format.ZARR2.open(back).at("a"));
        assertEquals(text.missingValue(), array(Zarr.open(back), "a").missingValue());
    }
}
