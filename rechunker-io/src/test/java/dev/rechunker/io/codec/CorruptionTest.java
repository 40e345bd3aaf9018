package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that chunks with malformed headers are refused or decode to a whole chunk, and that no buffer is overrun.
 * {@link CodecFuzzTest} tests other malformed chunks.
 */
class CorruptionTest {
    static List<CodecSpec> specs() {
        List<CodecSpec> specs = new ArrayList<>(RoundTripTest.compressors());
        specs.add(CodecSpec.of("shuffle").with("elementsize", 2));
        specs.add(CodecSpec.of("delta").with("dtype", "<i2").with("astype", "|i1"));
        specs.add(CodecSpec.of("packbits"));
        specs.add(CodecSpec.of("zarr3.packbits").with("padding_encoding", "first_byte"));
        specs.add(CodecSpec.of("cast_value").with("data_type", "float64"));
        specs.add(CodecSpec.of("scale_offset").with("offset", 1));
        specs.add(CodecSpec.of("bytes").with("endian", "big"));
        return specs;
    }

    /** Replaces four bytes of the header by plausible values. */
    @ParameterizedTest
    @MethodSource("specs")
    void malformedHeaders(CodecSpec spec) throws CodecException {
        int[] lies = {
            0, 1, -1, 4, 127, 128, 6000, 6001, 12_000, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, 255 << 24
        };
        byte[] chunk = Chunks.elements("mixed", new NumberType(NumberType.Kind.INT, 2, ByteOrder.LITTLE_ENDIAN), 3000);
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.INT16, 3000))) {
            byte[] encoded = Chunks.encode(chain, Chunks.fit(List.of(spec), chunk));
            for (int at = 0; at < Math.min(40, encoded.length - 4); at++) {
                for (int lie : lies) {
                    byte[] bytes = encoded.clone();
                    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, lie);
                    decodeOrRefuse(chain, bytes);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("specs")
    void chunksOfAnotherSize(CodecSpec spec) throws CodecException {
        byte[] chunk = Chunks.elements("mixed", new NumberType(NumberType.Kind.INT, 2, ByteOrder.LITTLE_ENDIAN), 3000);
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.INT16, 3000))) {
            byte[] encoded = Chunks.encode(chain, Chunks.fit(List.of(spec), chunk));
            for (int count : new int[] {0, 1, 2999, 3001, 100_000}) {
                try (CodecChain other = Codecs.chain(List.of(spec), Chunks.line(DataType.INT16, count))) {
                    boolean refused = false;
                    try {
                        Chunks.decode(other, encoded);
                    } catch (CodecException e) {
                        refused = true;
                    }
                    assertTrue(refused || chunk.length == other.decodedSize(), spec::toString);
                }
            }
        }
    }

    private static void decodeOrRefuse(CodecChain chain, byte[] bytes) {
        try {
            Chunks.decode(chain, bytes);
        } catch (CodecException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lzma", "bz2", "gzip", "zlib", "zstd"})
    void messageSaysThatAChunkIsCutOff(String name) throws CodecException {
        byte[] chunk = Chunks.elements("mixed", new NumberType(NumberType.Kind.INT, 2, ByteOrder.LITTLE_ENDIAN), 3000);
        try (CodecChain chain = Codecs.chain(List.of(CodecSpec.of(name)), Chunks.line(DataType.INT16, 3000))) {
            byte[] encoded = Chunks.encode(chain, chunk);
            for (int length = 0; length < encoded.length; length += 1 + encoded.length / 50) {
                byte[] bytes = Arrays.copyOf(encoded, length);
                CodecException e = assertThrows(CodecException.class, () -> Chunks.decode(chain, bytes));
                assertFalse(
                        String.valueOf(e.getMessage()).matches("(?s).*(Exception|java\\.|org\\.).*"), e.getMessage());
            }
        }
    }
}
