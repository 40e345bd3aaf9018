package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.rechunker.array.CodecSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests chunks that were written by numcodecs, see {@code make_golden.py}. */
class GoldenTest {
    /**
     * A chunk.
     *
     * @param encoded position and size of the encoded chunk in golden.bin
     * @param decoded position and size of the decoded chunk in golden.bin, if it differs from the elements
     */
    record Golden(
            String pattern,
            String dtype,
            int n,
            List<Map<String, Object>> codecs,
            List<Integer> encoded,
            @Nullable List<Integer> decoded,
            boolean exact) {
        NumberType type() throws CodecException {
            return NumberType.parse("golden", dtype);
        }

        ElementContext context() throws CodecException {
            return Chunks.context(type().dataType(), type().order(), n);
        }

        List<CodecSpec> specs() {
            List<CodecSpec> specs = new ArrayList<>();
            for (Map<String, Object> codec : codecs) {
                specs.add(new CodecSpec((String) Objects.requireNonNull(codec.get("id")), codec));
            }
            return specs;
        }

        byte[] elements() throws CodecException {
            return Chunks.elements(pattern, type(), n);
        }
    }

    static List<Golden> all() throws IOException {
        Gson gson = new GsonBuilder()
                .setObjectToNumberStrategy(ToNumberPolicy.LAZILY_PARSED_NUMBER)
                .create();
        try (InputStream in = open("golden.json")) {
            return gson.fromJson(
                    new InputStreamReader(in, StandardCharsets.UTF_8), new TypeToken<List<Golden>>() {}.getType());
        }
    }

    static byte[] blob() throws IOException {
        try (InputStream in = open("golden.bin")) {
            return in.readAllBytes();
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(GoldenTest.class.getResourceAsStream("/codec/" + name), name);
    }

    static byte[] cut(byte[] blob, List<Integer> piece) {
        return Arrays.copyOfRange(blob, piece.get(0), piece.get(0) + piece.get(1));
    }

    @TestFactory
    Stream<DynamicTest> chunksOfNumcodecsAreDecoded() throws IOException {
        byte[] blob = blob();
        return all().stream()
                .map(golden -> DynamicTest.dynamicTest(
                        golden.dtype() + " " + golden.n() + " " + golden.pattern() + " " + golden.codecs(),
                        () -> check(golden, blob)));
    }

    private static void check(Golden golden, byte[] blob) throws IOException {
        byte[] encoded = cut(blob, golden.encoded());
        byte[] expected = golden.decoded() == null ? golden.elements() : cut(blob, golden.decoded());
        try (CodecChain chain = Codecs.chain(golden.specs(), golden.context())) {
            if (golden.exact()) {
                assertArrayEquals(encoded, Chunks.encode(chain, golden.elements()), "encoded");
            }
            assertTrue(encoded.length <= chain.maxEncodedSize());
            assertArrayEquals(expected, Chunks.decode(chain, encoded), "decoded");
            byte[] ours = Chunks.encode(chain, golden.elements());
            assertArrayEquals(expected, Chunks.decode(chain, ours), "round trip");
        }
    }

    @Test
    void bloscFramesAreAsSmallAsThoseOfNumcodecs() throws IOException {
        long ours = 0;
        long theirs = 0;
        for (Golden golden : all()) {
            if ("blosc".equals(golden.codecs().get(0).get("id"))) {
                try (CodecChain chain = Codecs.chain(golden.specs(), golden.context())) {
                    ours += Chunks.encode(chain, golden.elements()).length;
                }
                theirs += golden.encoded().get(1);
            }
        }
        assertEquals(1, (double) ours / theirs, 0.1);
    }
}
