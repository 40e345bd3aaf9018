package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that attributes are stored in their types, and that a reader returns the types that were resolved. */
class AttributeTypesTest {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private final Map<String, AttributeType> types = new LinkedHashMap<>();

    @TempDir
    Path directory;

    /** Adds an attribute whose name is its type. */
    private void add(String type, @Nullable Object value) {
        values.put(type, value);
        types.put(type, AttributeType.parse(type).orElseThrow());
    }

    private void addOfEachType() {
        add("int8", -3L);
        add("uint8[2]", List.of(1L, 255L));
        add("int16[1]", List.of(-300L));
        add("uint16", 65535L);
        add("int32[0]", List.of());
        add("uint32", 4294967295L);
        add("int64", Long.MIN_VALUE);
        add("uint64[1]", List.of(BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
        add("float16", 0.5);
        add("float32[2]", List.of((double) 0.1f, Double.NaN));
        add("float64", 0.1);
        add("bool[2]", List.of(true, false));
        add("int8[2, 3]", List.of(List.of(1L, 2L, 3L), List.of(4L, 5L, 6L)));
        add("string[2, 1]", List.of(List.of("a"), List.of("\u00e9")));
        add("int32(2)[2]", List.of(List.of(1L, 2L), List.of(3L, 4L)));
        add("char", "abc");
        add("char[2]", List.of("ab", "c"));
        add("char[null]", null);
        add("string", "caf\u00e9");
        add("string[1]", List.of("one"));
        add("string null-terminated ascii", "ascii");
        add("text null-padded ascii 6", "abc");
        add("text space-padded utf-8 9[1]", List.of("caf\u00e9"));
        add("text null-terminated utf-8 5", "");
        add("float64[null]", null);
        add("int16 {\"low\":0,\"high\":300}", 300L);
    }

    private static ArraySpec.Builder array() {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(2)), DataType.INT16);
    }

    private Path write() throws IOException {
        Path file = directory.resolve("x.h5");
        try (ChunkStore store = Hdf5.create(file)) {
            Data.of(array().attributes(values).attributeTypes(types).build()).write(store, "v");
            store.writeGroup("g", GroupSpec.of(values).withAttributeTypes(types), false);
            store.finish(false);
        }
        return file;
    }

    @Test
    void typesAreReadBack() throws IOException {
        addOfEachType();
        try (ChunkStore store = Hdf5.open(write())) {
            ArraySpec v = ((ChunkStore.ArrayNode) store.node("v").orElseThrow()).spec();
            GroupSpec g = ((ChunkStore.GroupNode) store.node("g").orElseThrow()).spec();
            assertEquals(values, v.attributes());
            assertEquals(types, v.attributeTypes());
            assertEquals(values, g.attributes());
            assertEquals(types, g.attributeTypes());
        }
    }

    private void assertStored(
            @Nullable Object value, @Nullable String wanted, @Nullable Object stored, @Nullable String type)
            throws IOException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("a", value);
        Map<String, AttributeType> types = wanted == null
                ? Map.of()
                : Map.of("a", AttributeType.parse(wanted).orElseThrow());
        Path file = directory.resolve("one.h5");
        ArraySpec resolved;
        try (ChunkStore store = Hdf5.create(file)) {
            resolved = store.resolve(
                    array().attributes(values).attributeTypes(types).build());
            assertEquals(resolved, store.resolve(resolved));
            Data.of(resolved).write(store, "v");
            store.finish(false);
        }
        assertEquals(
                Optional.ofNullable(stored),
                Optional.ofNullable(resolved.attributes().get("a")),
                wanted);
        assertEquals(
                type,
                resolved.attributeTypes().isEmpty()
                        ? null
                        : resolved.attributeTypes().get("a") + "");
        try (ChunkStore store = Hdf5.open(file)) {
            ArraySpec read = ((ChunkStore.ArrayNode) store.node("v").orElseThrow()).spec();
            assertEquals(resolved.attributes(), read.attributes());
            assertEquals(resolved.attributeTypes(), read.attributeTypes());
        }
        Files.delete(file);
    }

    @Test
    void valuesWithoutATypeGetTheUsualOne() throws IOException {
        assertStored(5L, null, 5L, "int64");
        assertStored(List.of(5L), null, List.of(5L), "int64[1]");
        assertStored(0.1, null, 0.1, "float64");
        assertStored("x", null, "x", "string");
        assertStored(List.of(true), null, List.of(true), "bool[1]");
        assertStored(List.of(List.of(1L, 2L)), null, List.of(List.of(1L, 2L)), "int64(1, 2)");
        assertStored(List.of(), null, List.of(), null);
        assertStored(null, null, null, null);
        assertStored(Map.of("b", 1L), null, Map.of("b", 1L), null);
    }

    @Test
    void typeThatCannotHoldTheValueIsReplaced() throws IOException {
        assertStored(300L, "int8", 300L, "int64");
        assertStored(-1L, "uint16[1]", -1L, "int64");
        assertStored(0.5, "int16", 0.5, "float64");
        assertStored(1e300, "float32", 1e300, "float64");
        assertStored("x", "int16", "x", "string");
        assertStored(List.of(1L, 2L), "int16[3]", List.of(1L, 2L), "int64[2]");
        assertStored(5L, "some format's own", 5L, "int64");
        assertStored("abcdef", "text null-padded ascii 3", "abcdef", "text null-padded ascii 6");
    }

    /** NetCDF does not tell an array of one from a number; JSON has texts for numbers that are not finite. */
    @Test
    void valuesAreStoredInTheShapeOfTheType() throws IOException {
        assertStored(5L, "int16[1]", List.of(5L), "int16[1]");
        assertStored("x", "string[1]", List.of("x"), "string[1]");
        assertStored(List.of(5L), "int16", 5L, "int16");
        assertStored("", "char[null]", null, "char[null]");
        assertStored(List.of(), "int16[null]", null, "int16[null]");
    }

    @ReferenceTest
    @Test
    void h5pyReadsTheTypes() throws Exception {
        addOfEachType();
        Path file = write();
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", """
                import sys, h5py, numpy as np
                from h5py import h5t, h5s
                with h5py.File(sys.argv[1]) as f:
                    for attributes in (f["v"].attrs, f["g"].attrs):
                        def check(name, dtype, shape, value):
                            a = attributes.get_id(name)
                            assert a.dtype == np.dtype(dtype), (name, a.dtype)
                            assert a.shape == shape, (name, a.shape)
                            assert np.array_equal(attributes[name], value), (name, attributes[name])
                        check("int8", "i1", (), -3)
                        check("uint8[2]", "u1", (2,), [1, 255])
                        check("int16[1]", "i2", (1,), [-300])
                        check("int32[0]", "i4", (0,), [])
                        check("int64", "i8", (), -2**63)
                        check("uint64[1]", "u8", (1,), [2**64 - 1])
                        check("float16", "f2", (), 0.5)
                        assert attributes["float32[2]"].tobytes() == np.array([0.1, np.nan], "f4").tobytes()
                        check("bool[2]", "?", (2,), [True, False])
                        check("int8[2, 3]", "i1", (2, 3), [[1, 2, 3], [4, 5, 6]])
                        assert attributes["string[2, 1]"].tolist() == [["a"], ["\u00e9"]]
                        a = attributes.get_id("int32(2)[2]")
                        assert a.shape == (2,) and a.get_type().get_class() == h5t.ARRAY
                        a = attributes.get_id("char")
                        assert a.get_type().get_strpad() == h5t.STR_NULLTERM and a.get_type().get_size() == 3
                        assert attributes["char"] == b"abc" and attributes["char[2]"].tolist() == [b"ab", b"c"]
                        assert attributes.get_id("char[null]").get_space().get_simple_extent_type() == h5s.NULL
                        assert attributes["string"] == "caf\u00e9" and attributes["string[1]"].tolist() == ["one"]
                        a = attributes.get_id("string null-terminated ascii").get_type()
                        assert a.is_variable_str() and a.get_cset() == h5t.CSET_ASCII
                        a = attributes.get_id("text space-padded utf-8 9[1]").get_type()
                        assert (a.get_strpad(), a.get_cset(), a.get_size()) == (h5t.STR_SPACEPAD, h5t.CSET_UTF8, 9)
                        assert attributes["float64[null]"] == h5py.Empty("f8")
                        names = h5py.check_enum_dtype(attributes.get_id('int16 {"low":0,"high":300}').dtype)
                        assert names == {"low": 0, "high": 300}, names
                """, file.toString()));
        ReferencePrograms.run(
                directory, List.of("h5dump", "-o", directory.resolve("dump").toString(), file.toString()));
        String repacked = directory.resolve("repacked.h5").toString();
        ReferencePrograms.run(directory, List.of("h5repack", file.toString(), repacked));
        ReferencePrograms.run(directory, List.of("h5diff", file.toString(), repacked));
    }
}
