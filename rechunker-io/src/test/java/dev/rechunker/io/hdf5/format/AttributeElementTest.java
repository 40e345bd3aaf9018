package dev.rechunker.io.hdf5.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.AttributeElement;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeElementTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bool",
                "int8",
                "uint64",
                "float16",
                "string",
                "char",
                "string null-terminated ascii",
                "string space-padded utf-8",
                "text null-padded ascii 12",
                "text null-terminated ascii 1",
                "float64(3, 3)",
                "text space-padded ascii 4(2)",
                "uint8 {\"a\":0,\"b (2)\":1}",
                "uint8 {\"a as b\":0,\"c as \":1}",
                "uint8 {\"a as b\":0} as ../types/a%0020%005bb%005d",
                "float64(3, 3) as matrix"
            })
    void parsesWhatItPrints(String text) {
        assertEquals(text, AttributeElement.parse(text).orElseThrow().toString());
        assertEquals(
                Optional.of(AttributeType.of(text, Shape.of(2))), AttributeType.parse(text + "[2]"), "no brackets");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "int24",
                "text null-padded ascii",
                "string null-padded ascii 3",
                "text null-padded latin-1 3",
                "text null-padded ascii 0",
                "float64()",
                "float64(0)",
                "int16(2)(3)",
                "float {\"a\":1}"
            })
    void othersAreNoElements(String text) {
        assertEquals(Optional.empty(), AttributeElement.parse(text));
    }

    @Test
    void namesOfValuesMayHaveBrackets() {
        String text = new AttributeElement.Enumeration(DataType.INT8, "{\"[a]\":0}").toString();
        assertEquals("int8 {\"\\u005ba\\u005d\":0}", text);
        assertEquals(text, AttributeElement.parse(text).orElseThrow().toString());
        assertThrows(IllegalArgumentException.class, () -> AttributeType.of("int8 {\"[a]\":0}", Shape.of()));
    }
}
