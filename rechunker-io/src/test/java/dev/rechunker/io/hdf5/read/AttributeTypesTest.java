package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.netcdf.AttributeElement;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests types and values of attributes in the files of make_described.py. */
class AttributeTypesTest {
    @TempDir
    Path directory = Path.of("");

    private static void assertAttribute(
            Map<String, @Nullable Object> values,
            Map<String, AttributeType> types,
            String name,
            String type,
            @Nullable Object value) {
        assertEquals(type, String.valueOf(types.get(name)), name);
        assertEquals(value, values.get(name), name);
        AttributeType read = Objects.requireNonNull(types.get(name), name);
        assertEquals(Optional.of(read), AttributeType.parse(type), name);
        String element = read.element();
        assertEquals(
                Optional.of(element), AttributeElement.parse(element).map(Object::toString), "a writer understands it");
    }

    @Test
    void netcdfHasArraysOfOneAndChars() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("attributes.nc", directory))) {
            GroupSpec group = ((GroupNode) store.node("").orElseThrow()).spec();
            Map<String, @Nullable Object> values = group.attributes();
            Map<String, AttributeType> types = group.attributeTypes();
            Map<String, String> names = Map.of(
                    "i1", "int8", "u1", "uint8", "i2", "int16", "u2", "uint16", "i4", "int32", "u4", "uint32", "i8",
                    "int64", "u8", "uint64", "f4", "float32", "f8", "float64");
            names.forEach((numpy, name) -> {
                boolean isFloat = numpy.startsWith("f");
                assertAttribute(values, types, "one_" + numpy, name + "[1]", isFloat ? (Object) 5.0 : (Object) 5L);
                assertAttribute(
                        values, types, "two_" + numpy, name + "[2]", isFloat ? List.of(5.0, 6.0) : List.of(5L, 6L));
            });
            assertAttribute(values, types, "char", "char", "text");
            assertAttribute(values, types, "char_empty", "char", "");
            assertAttribute(values, types, "string", "string[1]", "text");
            assertAttribute(values, types, "strings", "string[2]", List.of("one", "and two"));
            assertAttribute(values, types, "none_i4", "int32[null]", List.of());
            assertEquals(25, values.size());
            assertEquals(values.keySet(), types.keySet());
        }
    }

    @Test
    void hdf5HasMoreForms() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("attributes.h5", directory))) {
            ArraySpec array = ((ArrayNode) store.node("d").orElseThrow()).spec();
            Map<String, @Nullable Object> values = array.attributes();
            Map<String, AttributeType> types = array.attributeTypes();
            assertAttribute(values, types, "one", "int16[1]", List.of(5L));
            assertAttribute(values, types, "scalar", "int16", 5L);
            assertAttribute(values, types, "half", "float16", 0.5);
            assertAttribute(values, types, "big", "int32[2]", List.of(1L, -2L));
            assertAttribute(values, types, "flag", "bool", true);
            assertAttribute(values, types, "flags", "bool[2]", List.of(true, false));
            List<List<Long>> table = List.of(List.of(0L, 1L, 2L), List.of(3L, 4L, 5L));
            assertAttribute(values, types, "table", "int8[2, 3]", table);
            assertAttribute(values, types, "array", "int32(3)[2]", table);
            assertAttribute(values, types, "empty", "float32[null]", null);
            assertAttribute(values, types, "empty_text", "text null-padded ascii 1[null]", null);
            assertAttribute(values, types, "none", "int32[0, 3]", List.of());
            assertAttribute(values, types, "level", "int32 {\"GOOD\":1,\"\\u005bBAD\\u005d\":-1}", -1L);
            assertAttribute(values, types, "string", "string", "h\u00e9llo");
            assertAttribute(values, types, "strings", "string[2]", List.of("x", "yy"));
            assertAttribute(values, types, "ascii", "string null-terminated ascii", "text");
            assertAttribute(values, types, "char", "char", "text");
            assertAttribute(values, types, "char_empty", "char", "");
            assertAttribute(values, types, "char_utf8", "char", "h\u00e9llo");
            assertAttribute(values, types, "chars", "char[2]", List.of("one", "three"));
            assertAttribute(values, types, "terminated", "text null-terminated ascii 5", "text");
            assertAttribute(
                    values, types, "padded", "text null-padded ascii 7[2, 1]", List.of(List.of("a"), List.of("bc")));
            assertAttribute(values, types, "spaces", "text space-padded utf-8 5", "text");
            assertEquals(22, values.size());
            assertFalse(types.containsKey("complex"));
        }
    }
}
