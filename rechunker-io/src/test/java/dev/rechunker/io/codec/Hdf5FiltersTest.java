package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests szip and n-bit with chunks that the HDF5 library encoded, see {@code make_hdf5_filters.py}. */
class Hdf5FiltersTest {
    private static final int INPUTS = 40;

    /** A chunk; its bytes are in Base64, the decoded ones also compressed. */
    private record Stored(String codec, List<Long> parameters, String encoded, String decoded) {
        CodecSpec spec() {
            return CodecSpec.of(codec).with("parameters", parameters);
        }

        byte[] stored() {
            return Base64.getDecoder().decode(encoded);
        }

        byte[] elements() throws IOException {
            return new InflaterInputStream(
                            new ByteArrayInputStream(Base64.getDecoder().decode(decoded)))
                    .readAllBytes();
        }

        CodecChain chain() throws IOException {
            return Codecs.chain(List.of(spec()), Chunks.line(DataType.UINT8, elements().length));
        }
    }

    private static List<Stored> all() throws IOException {
        try (InputStreamReader in = new InputStreamReader(
                Objects.requireNonNull(Hdf5FiltersTest.class.getResourceAsStream("/codec/hdf5_filters.json")),
                StandardCharsets.UTF_8)) {
            return new Gson().fromJson(in, new TypeToken<List<Stored>>() {}.getType());
        }
    }

    @TestFactory
    Stream<DynamicTest> decodesWhatHdf5Encodes() throws IOException {
        List<Stored> all = all();
        assertEquals(
                List.of("hdf5.nbit", "hdf5.szip"),
                all.stream().map(Stored::codec).distinct().sorted().toList());
        return all.stream()
                .map(stored -> DynamicTest.dynamicTest(stored.codec() + stored.parameters(), () -> {
                    try (CodecChain chain = stored.chain()) {
                        assertArrayEquals(stored.elements(), Chunks.decode(chain, stored.stored()));
                    }
                }));
    }

    @Test
    void chunksThatAreCutOffAreRefused() throws IOException {
        for (Stored stored : all()) {
            byte[] encoded = stored.stored();
            try (CodecChain chain = stored.chain()) {
                for (int size = 0; size < encoded.length; size += 1 + size / 4) {
                    byte[] cut = Arrays.copyOf(encoded, size);
                    byte[] decoded = null;
                    try {
                        decoded = Chunks.decode(chain, cut);
                    } catch (CodecException e) {
                        assertTrue(String.valueOf(e.getMessage()).length() > 10);
                    }
                    if (decoded != null) { // what was cut off is padding
                        assertArrayEquals(stored.elements(), decoded, stored.spec() + " " + size);
                    }
                }
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> malformedChunks() throws IOException {
        return all().stream()
                .map(stored -> DynamicTest.dynamicTest(stored.codec() + stored.parameters(), () -> {
                    try (CodecChain chain = stored.chain()) {
                        List<byte[]> seeds = List.of(stored.stored());
                        Fuzz.check(
                                "filter " + stored.spec(),
                                INPUTS,
                                1 << 20,
                                "",
                                random -> ByteMutator.mutate(seeds, random),
                                input -> Chunks.decode(chain, input));
                    }
                }));
    }

    @Test
    void malformedParametersAreRefused() throws IOException {
        for (Stored stored : all()) {
            byte[] elements = stored.elements();
            for (int i = 0; i < stored.parameters().size(); i++) {
                for (long lie : new long[] {-1, 0, 1, 2, 3, 4, 33, 1 << 20, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                    List<Long> parameters = new ArrayList<>(stored.parameters());
                    parameters.set(i, lie);
                    CodecSpec spec = CodecSpec.of(stored.codec()).with("parameters", parameters);
                    try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.UINT8, elements.length))) {
                        Chunks.decode(chain, stored.stored());
                    } catch (CodecException e) {
                        assertTrue(String.valueOf(e.getMessage()).length() > 10);
                    }
                }
            }
            List<Long> fewer =
                    stored.parameters().subList(0, stored.parameters().size() - 1);
            CodecSpec spec = CodecSpec.of(stored.codec()).with("parameters", fewer);
            assertThrows(
                    CodecException.class,
                    () -> Codecs.chain(List.of(spec), Chunks.line(DataType.UINT8, elements.length))
                            .close());
        }
    }

    /** A description of a type can be nested deeper than a stack. */
    @Test
    void deepTypesAreRefused() {
        List<Long> parameters = new ArrayList<>(List.of(0L, 0L, 1L));
        for (int i = 0; i < 10_000; i++) {
            parameters.addAll(List.of(2L, 1L));
        }
        parameters.addAll(List.of(4L, 1L));
        parameters.set(0, (long) parameters.size());
        CodecSpec spec = CodecSpec.of("hdf5.nbit").with("parameters", parameters);
        assertThrows(
                CodecException.class,
                () -> Codecs.chain(List.of(spec), Chunks.line(DataType.UINT8, 1))
                        .close());
    }
}
