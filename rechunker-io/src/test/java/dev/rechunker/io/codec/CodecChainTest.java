package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.internal.LazilyParsedNumber;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class CodecChainTest {
    private static final ElementContext FLOATS = Chunks.line(DataType.FLOAT32, 10_000);
    private static final byte[] CHUNK =
            Chunks.elements("mixed", new NumberType(NumberType.Kind.FLOAT, 4, ByteOrder.LITTLE_ENDIAN), 10_000);

    private static CodecSpec bytes(String endian) {
        return CodecSpec.of("bytes").with("endian", endian);
    }

    private static String refusal(CodecSpec... specs) {
        return String.valueOf(assertThrows(CodecException.class, () -> Codecs.chain(List.of(specs), FLOATS))
                .getMessage());
    }

    @Test
    void elementsAreNotChangedWithoutSteps() throws CodecException {
        try (CodecChain chain = Codecs.chain(List.of(bytes("little")), FLOATS)) {
            assertTrue(chain.isRaw());
            assertEquals(Codec.Needs.NONE, chain.decodeNeeds());
            assertEquals(40_000, chain.maxEncodedSize());
            assertArrayEquals(CHUNK, Chunks.encode(chain, CHUNK));
            assertArrayEquals(CHUNK, Chunks.decode(chain, CHUNK));
            assertThrows(CodecException.class, () -> Chunks.decode(chain, new byte[39_999]));
            assertThrows(CodecException.class, () -> Chunks.decode(chain, new byte[40_001]));
        }
    }

    @Test
    void stepsThatChangeNothingAreLeftOut() throws CodecException {
        ElementContext column = Chunks.context(DataType.INT16, ByteOrder.BIG_ENDIAN, 1, 50, 1);
        List<CodecSpec> specs = List.of(
                CodecSpec.of("transpose").with("order", List.of(1, 2, 0)),
                bytes("big"),
                CodecSpec.of("shuffle").with("elementsize", 1));
        assertTrue(Codecs.chain(specs, column).isRaw());
        assertTrue(Codecs.chain(List.of(bytes("big")), Chunks.line(DataType.UINT8, 4))
                .isRaw());
    }

    @Test
    void unsupportedCodecsAndOptionsAreRefusedByName() {
        assertTrue(refusal(CodecSpec.of("zfp")).startsWith("codec \"zfp\" is not supported; supported are adler32, "));
        assertTrue(refusal(CodecSpec.of("gzip").with("window", 9)).contains("window=9"));
        assertTrue(refusal(Chunks.blosc("lzo", 5, 1)).contains("\"lzo\""));
        assertTrue(refusal(Chunks.blosc("lz4", 10, 1)).contains("clevel 10"));
        assertTrue(refusal(Chunks.blosc("lz4", 5, 3)).contains("shuffle 3"));
        assertTrue(refusal(CodecSpec.of("bytes")).contains("needs the option endian"));
        assertTrue(refusal(bytes("middle")).contains("middle"));
        assertTrue(
                refusal(CodecSpec.of("transpose").with("order", List.of(0, 1))).contains("[0, 1]"));
        assertTrue(refusal(CodecSpec.of("gzip"), bytes("big")).contains("after codec \"gzip\""));
        assertTrue(refusal(CodecSpec.of("delta").with("dtype", "<M8[ns]")).contains("<M8[ns]"));
        assertTrue(refusal(CodecSpec.of("lzma").with("format", 3)).contains("filters"));
    }

    @Test
    void numericOptionsCanHaveAnyNumericType() throws CodecException {
        CodecSpec spec = CodecSpec.of("blosc")
                .with("cname", "zstd")
                .with("clevel", new LazilyParsedNumber("3"))
                .with("shuffle", 2.0)
                .with("typesize", 4L)
                .with("nthreads", 8);
        Chunks.checkRoundTrip(List.of(spec), FLOATS, CHUNK);
    }

    @Test
    void crc32cIsThatOfItsStandardAndNeedsNoBuffer() throws CodecException {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        List<CodecSpec> specs = List.of(bytes("little"), CodecSpec.of("crc32c"));
        try (CodecChain chain = Codecs.chain(specs, Chunks.line(DataType.UINT8, 9))) {
            byte[] encoded = Chunks.encode(chain, digits);
            assertEquals(13, encoded.length);
            assertEquals(
                    0xE3069283,
                    ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt(9));
            assertEquals(Codec.Needs.NONE, chain.decodeNeeds());
            encoded[4]++;
            assertThrows(CodecException.class, () -> Chunks.decode(chain, encoded));
        }
    }

    @Test
    void checksumsCanBeAtAnyPosition() throws CodecException {
        List<CodecSpec> specs = List.of(
                CodecSpec.of("crc32"),
                CodecSpec.of("zlib"),
                CodecSpec.of("crc32c"),
                CodecSpec.of("adler32"),
                Chunks.blosc("lz4", 5, 1),
                CodecSpec.of("crc32"));
        Chunks.checkRoundTrip(specs, FLOATS, CHUNK);
    }

    @Test
    void stepsOfEqualSizeWorkInPlace() throws CodecException {
        List<CodecSpec> specs = List.of(bytes("big"), Chunks.blosc("lz4", 5, 0));
        byte[] encoded = Chunks.checkRoundTrip(specs, FLOATS, CHUNK);
        try (CodecChain chain = Codecs.chain(specs, FLOATS);
                CodecChain one = Codecs.chain(List.of(Chunks.blosc("lz4", 5, 0)), FLOATS)) {
            assertEquals(one.decodeNeeds(), chain.decodeNeeds());
            ByteBuffer swapped = ByteBuffer.wrap(Chunks.decode(one, encoded)).order(ByteOrder.BIG_ENDIAN);
            assertEquals(ByteBuffer.wrap(CHUNK).order(ByteOrder.LITTLE_ENDIAN).getFloat(4000), swapped.getFloat(4000));
        }
    }

    @Test
    void chainsOfManySteps() throws CodecException {
        ElementContext context = Chunks.context(DataType.INT32, ByteOrder.LITTLE_ENDIAN, 20, 30, 7);
        byte[] chunk = Chunks.elements("mixed", new NumberType(NumberType.Kind.INT, 4, ByteOrder.LITTLE_ENDIAN), 4200);
        List<CodecSpec> specs = List.of(
                CodecSpec.of("delta").with("dtype", "<i4"),
                CodecSpec.of("astype").with("decode_dtype", "<i4").with("encode_dtype", "<i8"),
                CodecSpec.of("transpose").with("order", List.of(2, 0, 1)),
                bytes("big"),
                CodecSpec.of("shuffle").with("elementsize", 8),
                CodecSpec.of("zstd"),
                CodecSpec.of("gzip"),
                CodecSpec.of("lz4"));
        Chunks.checkRoundTrip(specs, context, chunk);
    }

    @Test
    void transposeStoresPermutedAxes() throws CodecException {
        ElementContext context = Chunks.context(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, 2, 3);
        CodecSpec fortran = CodecSpec.of("transpose").with("order", List.of(1, 0));
        byte[] encoded = Chunks.checkRoundTrip(List.of(fortran), context, new byte[] {1, 2, 3, 4, 5, 6});
        assertArrayEquals(new byte[] {1, 4, 2, 5, 3, 6}, encoded);
        ElementContext cube = Chunks.context(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, 1, 2, 3);
        CodecSpec turned = CodecSpec.of("transpose").with("order", List.of(2, 0, 1));
        assertArrayEquals(encoded, Chunks.checkRoundTrip(List.of(turned), cube, new byte[] {1, 2, 3, 4, 5, 6}));
    }

    /** A step that moves only axes of extent 1 is left out, but the order of the next one refers to the moved axes. */
    @Test
    void transposesCanBeCombined() throws CodecException {
        ElementContext cube = Chunks.context(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, 1, 2, 3);
        List<CodecSpec> steps = List.of(transpose(1, 2, 0), transpose(1, 0, 2)); // (2, 3, 1), then (3, 2, 1)
        byte[] encoded = Chunks.checkRoundTrip(steps, cube, new byte[] {1, 2, 3, 4, 5, 6});
        assertArrayEquals(new byte[] {1, 4, 2, 5, 3, 6}, encoded);
    }

    @Test
    void identityDistinguishesTransposesAfterOthers() throws CodecException {
        ElementContext box = Chunks.context(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, 1, 2, 3, 4);
        CodecChain alone = Codecs.chain(List.of(transpose(1, 3, 2, 0)), box);
        CodecChain second = Codecs.chain(List.of(transpose(1, 0, 2, 3), transpose(1, 3, 2, 0)), box);
        byte[] elements = Chunks.elements("ramp", new NumberType(NumberType.Kind.UINT, 1, ByteOrder.LITTLE_ENDIAN), 24);
        assertFalse(Arrays.equals(Chunks.encode(alone, elements), Chunks.encode(second, elements)));
        assertNotEquals(alone.identity(), second.identity());
    }

    private static CodecSpec transpose(Integer... order) {
        return CodecSpec.of("transpose").with("order", List.of(order));
    }

    @Test
    void gzipMembersCanBeConcatenatedAndHaveNames() throws IOException {
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        for (int half = 0; half < 2; half++) {
            try (GZIPOutputStream out = new GZIPOutputStream(stored)) {
                out.write(CHUNK, half * 20_000, 20_000);
            }
        }
        byte[] plain = stored.toByteArray();
        ByteArrayOutputStream named = new ByteArrayOutputStream();
        named.write(plain, 0, 3);
        named.write(4 | 8 | 16);
        named.write(plain, 4, 6);
        named.write(new byte[] {2, 0, 1, 2, 'n', 0, 'c', 0});
        named.write(plain, 10, plain.length - 10);
        try (CodecChain chain = Codecs.chain(List.of(CodecSpec.of("gzip")), FLOATS)) {
            assertArrayEquals(CHUNK, Chunks.decode(chain, plain));
            assertArrayEquals(CHUNK, Chunks.decode(chain, named.toByteArray()));
        }
    }

    @Test
    void identityDistinguishesChains() throws CodecException {
        CodecSpec lz4 = Chunks.blosc("lz4", 5, 1);
        String identity = Codecs.chain(List.of(bytes("little"), lz4), FLOATS).identity();
        assertEquals(
                identity, Codecs.chain(List.of(lz4.with("nthreads", 2)), FLOATS).identity());
        assertNotEquals(
                identity,
                Codecs.chain(List.of(Chunks.blosc("lz4", 4, 1)), FLOATS).identity());
        assertNotEquals(
                identity,
                Codecs.chain(List.of(lz4), Chunks.line(DataType.INT32, 10_000)).identity());
        assertFalse(Codecs.isSupported("zfp"));
        assertTrue(Codecs.isSupported("delta"));
    }

    @Test
    void manyThreadsShareAChain() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (CodecChain chain =
                Codecs.chain(List.of(Chunks.blosc("lz4", 5, 1), CodecSpec.of("zstd"), CodecSpec.of("gzip")), FLOATS)) {
            Callable<Boolean> task = () -> {
                for (int i = 0; i < 20; i++) {
                    assertArrayEquals(CHUNK, Chunks.decode(chain, Chunks.encode(chain, CHUNK)));
                }
                return true;
            };
            List<Future<Boolean>> results = new ArrayList<>(threads.invokeAll(List.of(task, task, task, task)));
            for (Future<Boolean> result : results) {
                assertTrue(result.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void buffersOfAnotherSizeAreIllegalArguments() throws CodecException {
        try (CodecChain chain = Codecs.chain(List.of(CodecSpec.of("zlib")), FLOATS)) {
            ByteBuffer small = ByteBuffer.allocateDirect(39_999);
            assertThrows(IllegalArgumentException.class, () -> chain.decode(small, small, Scratch.allocate(0)));
            ByteBuffer chunk = ByteBuffer.allocateDirect(40_000);
            assertThrows(IllegalArgumentException.class, () -> chain.encode(chunk, chunk, Scratch.allocate(0)));
        }
    }
}
