package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every codec decodes what it encodes, for elements of all sizes and chunks of odd sizes. */
class RoundTripTest {
    private static final List<DataType> TYPES = List.of(
            DataType.UINT8,
            DataType.INT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.COMPLEX128,
            DataType.bytes(3),
            DataType.bytes(7),
            DataType.bytes(24),
            DataType.bytes(300));

    static List<CodecSpec> compressors() {
        List<CodecSpec> specs = new ArrayList<>();
        for (String cname : List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd")) {
            for (int shuffle = 0; shuffle <= 2; shuffle++) {
                specs.add(Chunks.blosc(cname, 5, shuffle));
            }
            specs.add(Chunks.blosc(cname, 1, -1));
            specs.add(Chunks.blosc(cname, 7, 1).with("blocksize", 3000));
        }
        specs.add(Chunks.blosc("lz4", 0, 1));
        specs.add(CodecSpec.of("zstd").with("level", 1).with("checksum", true));
        specs.add(CodecSpec.of("zstd").with("level", -5));
        specs.add(CodecSpec.of("gzip").with("level", 1).with("useZlib", false));
        specs.add(CodecSpec.of("gzip").with("level", 0));
        specs.add(CodecSpec.of("gzip").with("useZlib", true));
        specs.add(CodecSpec.of("zlib").with("level", 9));
        specs.add(CodecSpec.of("lz4"));
        specs.add(CodecSpec.of("lz4").with("acceleration", 20));
        specs.add(CodecSpec.of("lz4block"));
        specs.add(CodecSpec.of("lz4block").with("blocksize", 700));
        specs.add(CodecSpec.of("bz2").with("level", 1));
        specs.add(CodecSpec.of("lzma").with("preset", 0));
        specs.add(CodecSpec.of("lzma").with("format", 2).with("preset", 1));
        specs.add(CodecSpec.of("lzma").with("format", 3).with("filters", List.of(Map.of("id", 33, "preset", 0))));
        specs.add(CodecSpec.of("crc32c"));
        specs.add(CodecSpec.of("crc32"));
        specs.add(CodecSpec.of("adler32"));
        specs.add(CodecSpec.of("crc32").with("location", "end"));
        specs.add(CodecSpec.of("fletcher32"));
        specs.add(CodecSpec.of("jenkins_lookup3"));
        return specs;
    }

    @ParameterizedTest
    @MethodSource("compressors")
    void oddSizes(CodecSpec spec) throws CodecException {
        Random random = new Random(20);
        for (DataType type : TYPES) {
            for (int bytes : new int[] {0, 1, 127, 128, 700, 40_000}) {
                int count = bytes / type.itemSize() + (bytes > 0 ? 1 : 0);
                byte[] chunk = new byte[count * type.itemSize()];
                for (int i = 0; i < chunk.length; i++) {
                    chunk[i] = (byte) (i / type.itemSize() % 50 * (i % type.itemSize()) + random.nextInt(3));
                }
                Chunks.checkRoundTrip(List.of(spec), Chunks.line(type, count), chunk);
                random.nextBytes(chunk);
                Chunks.checkRoundTrip(List.of(spec), Chunks.line(type, count), chunk);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("compressors")
    void manyBlocks(CodecSpec spec) throws CodecException {
        Random random = new Random(21);
        int count = 300_000 + random.nextInt(1000);
        byte[] chunk =
                Chunks.elements("mixed", new NumberType(NumberType.Kind.FLOAT, 4, ByteOrder.LITTLE_ENDIAN), count);
        byte[] encoded = Chunks.checkRoundTrip(List.of(spec), Chunks.line(DataType.FLOAT32, count), chunk);
        boolean compresses = !spec.name().matches("crc32c?|adler32|fletcher32|jenkins_lookup3")
                && !Integer.valueOf(0).equals(spec.options().get("level"))
                && !Integer.valueOf(0).equals(spec.options().get("clevel"));
        assertTrue(!compresses || encoded.length < chunk.length, () -> spec + ": " + encoded.length);
    }

    /** A chain for chunks up to a size uses at most the memory that it declares for that size. */
    @ParameterizedTest
    @MethodSource("compressors")
    void chunksOfDifferentSizes(CodecSpec spec) throws CodecException {
        if (spec.name().matches("crc32c?|adler32|fletcher32|jenkins_lookup3")) {
            assertThrows(CodecException.class, () -> Codecs.chainUpTo(List.of(spec), Chunks.line(DataType.INT16, 100)));
            return;
        }
        Random random = new Random(23);
        for (int most : new int[] {1, 130, 16_384, 20_000, 70_000}) {
            for (DataType type : List.of(DataType.UINT8, DataType.FLOAT64)) {
                try (CodecChain chain = Codecs.chainUpTo(List.of(spec), Chunks.line(type, most))) {
                    for (int count : new int[] {0, 1, most - 1, most / 2, random.nextInt(most), most}) {
                        byte[] chunk = new byte[count * type.itemSize()];
                        random.nextBytes(chunk);
                        byte[] encoded = Chunks.encode(chain, chunk);
                        assertTrue(encoded.length <= chain.maxEncodedSize());
                        assertArrayEquals(chunk, Chunks.decode(chain, encoded, chunk.length), spec::toString);
                    }
                }
            }
        }
    }

    @Test
    void blosclzFindsNearAndFarMatches() throws CodecException {
        Random random = new Random(22);
        byte[] chunk = new byte[200_000];
        int at = 0;
        while (at < chunk.length) {
            int run = Math.min(chunk.length - at, 1 + random.nextInt(1000));
            int distance = 1 + random.nextInt(90_000);
            for (int i = 0; i < run; i++, at++) {
                chunk[at] = distance > at || distance % 5 == 0 ? (byte) random.nextInt() : chunk[at - distance];
            }
        }
        for (int level : new int[] {1, 5, 9}) {
            Chunks.checkRoundTrip(
                    List.of(Chunks.blosc("blosclz", level, 0)), Chunks.line(DataType.UINT8, chunk.length), chunk);
        }
    }
}
