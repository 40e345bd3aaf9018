package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The codecs cast_value, scale_offset and packbits. */
class CastValueTest {
    private static CodecSpec spec(Object... options) {
        CodecSpec spec = CodecSpec.of((String) options[0]);
        for (int i = 1; i < options.length; i += 2) {
            spec = spec.with((String) options[i], options[i + 1]);
        }
        return spec;
    }

    /** Floats of 8 bits and less, which no other library converts in this codec. */
    @ParameterizedTest
    @CsvSource({
        "float8_e4m3, 1000, clamp, 78",
        "float8_e4m3fn, 1000, clamp, 7e",
        "float8_e4m3fnuz, -0.0, , 00",
        "float8_e8m0fnu, 0, clamp, 00",
        "float8_e8m0fnu, 3, , 81",
        "float4_e2m1fn, -100, clamp, 0f",
        "float6_e3m2fn, 0.3, , 05",
        "bfloat16, NaN, , c07f",
        "int4, -9, clamp, f8",
        "uint2, 5, wrap, 01",
        "int2, 2, wrap, fe",
    })
    void smallTypesAreEncoded(String type, double value, String outOfRange, String encoded) throws CodecException {
        CodecSpec cast = spec("cast_value", "data_type", type);
        cast = outOfRange == null ? cast : cast.with("out_of_range", outOfRange);
        try (CodecChain chain = Codecs.chain(List.of(cast), Chunks.line(DataType.FLOAT64, 1))) {
            byte[] bytes = Chunks.encode(
                    chain,
                    ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putDouble(value)
                            .array());
            assertEquals(encoded, HexFormat.of().formatHex(bytes));
        }
    }

    @ParameterizedTest
    @CsvSource({"float4_e2m1fn, NaN", "float8_e4m3fn, Infinity", "float8_e8m0fnu, -1", "int4, NaN", "int8, 1e3"})
    void numbersThatTheOtherTypeDoesNotHaveAreRefused(String type, double value) throws CodecException {
        CodecSpec cast = spec("cast_value", "data_type", type);
        try (CodecChain chain = Codecs.chain(List.of(cast), Chunks.line(DataType.FLOAT64, 1))) {
            CodecException e = assertThrows(
                    CodecException.class,
                    () -> Chunks.encode(
                            chain,
                            ByteBuffer.allocate(8)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putDouble(value)
                                    .array()));
            assertTrue(String.valueOf(e.getMessage()).contains("from float64 to " + type), e.getMessage());
        }
    }

    static List<CodecSpec> wrong() {
        return List.of(
                spec("cast_value"),
                spec("cast_value", "data_type", "complex64"),
                spec("cast_value", "data_type", "int8", "rounding", "up"),
                spec("cast_value", "data_type", "int8", "out_of_range", "saturate"),
                spec("cast_value", "data_type", "float32", "out_of_range", "wrap"),
                spec("cast_value", "data_type", "int8", "scalar_map", List.of()),
                spec("cast_value", "data_type", "int8", "scalar_map", Map.of("encoded", List.of())),
                spec("cast_value", "data_type", "int8", "scalar_map", Map.of("encode", List.of(List.of(1)))),
                spec("cast_value", "data_type", "int8", "scalar_map", Map.of("encode", List.of(List.of(1, 300)))),
                spec("cast_value", "data_type", "int8", "scalar_map", Map.of("decode", List.of(List.of("NaN", 1)))),
                spec("scale_offset", "scale", 0),
                spec("scale_offset", "scale", 1.5),
                spec("scale_offset", "offset", 70_000),
                spec("scale_offset", "offset", "x"),
                spec("scale_offset", "offset", Map.of()),
                spec("zarr3.packbits", "padding_encoding", "both"),
                spec("zarr3.packbits", "first_bit", 16),
                spec("zarr3.packbits", "first_bit", 5, "last_bit", 4));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void otherOptionsAreRefused(CodecSpec spec) {
        CodecException e =
                assertThrows(CodecException.class, () -> Codecs.chain(List.of(spec), Chunks.line(DataType.INT16, 10)));
        assertTrue(String.valueOf(e.getMessage()).contains("codec \"" + spec.name() + "\""), e.getMessage());
    }

    @Test
    void otherTypesAreRefused() {
        for (CodecSpec spec :
                List.of(spec("cast_value", "data_type", "int8"), spec("scale_offset"), spec("zarr3.packbits"))) {
            for (DataType type : List.of(DataType.bytes(4), DataType.opaque(8, ""), DataType.datetime64("s"))) {
                CodecException e =
                        assertThrows(CodecException.class, () -> Codecs.chain(List.of(spec), Chunks.line(type, 10)));
                assertTrue(String.valueOf(e.getMessage()).contains("elements of type"), e.getMessage());
            }
        }
    }

    /** All widths and positions of bits are packed, for numbers that have no others. */
    @Test
    void bitsAreUnpackedAsTheyWerePacked() throws CodecException {
        Random random = new Random(46);
        for (DataType type :
                List.of(DataType.UINT8, DataType.INT16, DataType.UINT32, DataType.INT64, DataType.COMPLEX64)) {
            int bits = 8 * type.wordSize();
            for (int i = 0; i < 40; i++) {
                int first = random.nextInt(bits);
                int last = first + random.nextInt(bits - first);
                int count = 1 + random.nextInt(40);
                ByteBuffer elements =
                        ByteBuffer.allocate(count * type.itemSize()).order(ByteOrder.BIG_ENDIAN);
                boolean signed = type.kind() == DataType.Kind.INT;
                while (elements.hasRemaining()) {
                    long number = random.nextLong();
                    int spare = 63 - last;
                    number = signed ? number << spare >> spare : number << spare >>> spare;
                    number = number >> first << first;
                    switch (type.wordSize()) {
                        case 1 -> elements.put((byte) number);
                        case 2 -> elements.putShort((short) number);
                        case 4 -> elements.putInt((int) number);
                        default -> elements.putLong(number);
                    }
                }
                String padding = List.of("none", "first_byte", "last_byte").get(i % 3);
                byte[] packed = Chunks.checkRoundTrip(
                        List.of(spec(
                                "zarr3.packbits", "first_bit", first, "last_bit", last, "padding_encoding", padding)),
                        Chunks.context(type, ByteOrder.BIG_ENDIAN, count),
                        elements.array());
                int parts = type.itemSize() / type.wordSize();
                assertEquals((count * parts * (last - first + 1) + 7) / 8 + (i % 3 == 0 ? 0 : 1), packed.length);
            }
        }
        CodecException e = assertThrows(
                CodecException.class,
                () -> Chunks.checkRoundTrip(
                        List.of(spec("zarr3.packbits", "last_bit", 3)),
                        Chunks.line(DataType.UINT8, 2),
                        new byte[] {15, 16}));
        assertTrue(String.valueOf(e.getMessage()).contains("16 has more bits than the 4"), e.getMessage());
    }

    @Test
    void booleansArePacked() throws CodecException {
        byte[] packed = Chunks.checkRoundTrip(
                List.of(spec("zarr3.packbits")), Chunks.line(DataType.BOOL, 9), new byte[] {1, 0, 0, 1, 0, 0, 0, 0, 1});
        assertArrayEquals(new byte[] {9, 1}, packed);
    }
}
