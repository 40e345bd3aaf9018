package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that malformed chunks are refused or decode to a whole chunk, and that no buffer is overrun. If a checksum
 * covers the elements, they must be correct.
 */
class CodecFuzzTest {
    private static final int ELEMENTS = 1500;
    private static final int INPUTS = 300;

    /** The largest memory that the libraries of bz2 and lzma allocate for each chunk, for any content. */
    private static final long LIBRARIES = 12 << 20;

    private static final ElementContext CONTEXT = Chunks.line(DataType.INT16, ELEMENTS);

    /**
     * The codecs with a checksum of all decoded bytes; Fletcher's is not one, because it does not distinguish 0xFFFF
     * and 0.
     */
    private static final Set<String> CHECKED =
            Set.of("gzip", "zlib", "bz2", "crc32c", "crc32", "adler32", "jenkins_lookup3", "lz4block");

    static Stream<List<CodecSpec>> chains() {
        List<List<CodecSpec>> chains = new ArrayList<>();
        RoundTripTest.compressors().forEach(spec -> chains.add(List.of(spec)));
        for (String text : List.of(
                "hdf5.fletcher32",
                "bitround:keepbits=5",
                "shuffle:elementsize=2 zlib:level=1",
                "delta:dtype=<i2,astype=|i1 zstd:level=1",
                "packbits",
                "zarr3.packbits:padding_encoding=last_byte",
                "scale_offset:offset=3,scale=-1 cast_value:data_type=float32 zstd:level=1",
                "cast_value:data_type=float64 bytes:endian=big",
                "fixedscaleoffset:offset=-3,scale=2,dtype=<i2,astype=<i4 lz4",
                "bytes:endian=big crc32c gzip:level=1",
                "zstd:level=1 crc32c",
                "bytes:endian=big blosc:cname=lz4")) {
            List<CodecSpec> chain = new ArrayList<>();
            for (String one : text.split(" ")) {
                chain.addAll(CodecSpec.parse(one));
            }
            chains.add(chain);
        }
        return chains.stream();
    }

    private static byte[] elements(String pattern) {
        return Chunks.elements(pattern, new NumberType(NumberType.Kind.INT, 2, ByteOrder.LITTLE_ENDIAN), ELEMENTS);
    }

    @ParameterizedTest
    @MethodSource("chains")
    void chunks(List<CodecSpec> specs) throws IOException {
        List<byte[]> chunks = List.of(elements("steps"), elements("mixed"), elements("noise"));
        boolean checked = specs.stream().anyMatch(spec -> CHECKED.contains(spec.name()));
        try (CodecChain chain = Codecs.chain(specs, CONTEXT)) {
            List<byte[]> seeds = new ArrayList<>();
            for (byte[] chunk : chunks) {
                seeds.add(Chunks.encode(chain, Chunks.fit(specs, chunk)));
            }
            Fuzz.check("codec " + specs, INPUTS, LIBRARIES, "", random -> ByteMutator.mutate(seeds, random), input -> {
                byte[] decoded = Chunks.decode(chain, input);
                if (checked) {
                    assertOneOf(chunks, decoded);
                }
            });
        }
    }

    private static void assertOneOf(List<byte[]> chunks, byte[] decoded) {
        for (byte[] chunk : chunks) {
            if (Arrays.equals(chunk, decoded)) {
                return;
            }
        }
        assertArrayEquals(chunks.get(0), decoded, "a chunk with a wrong checksum was accepted");
    }

    static Stream<CodecSpec> decodeOnly() {
        return DecodeOnlyTest.specs();
    }

    /** Tries chunks that only HDF5 writes: valid headers, followed by blocks of LZ4, literals of LZF or packed bits. */
    @ParameterizedTest
    @MethodSource("decodeOnly")
    void decodeOnly(CodecSpec spec) throws IOException {
        assertFalse(Codecs.isSupported(spec.name()));
        List<byte[]> seeds = new ArrayList<>();
        byte[] plain = Arrays.copyOf(elements("steps"), 200);
        byte[] block;
        try (CodecChain lz4 = Codecs.chain(List.of(CodecSpec.of("lz4")), Chunks.line(DataType.INT16, 100))) {
            byte[] encoded = Chunks.encode(lz4, plain);
            block = Arrays.copyOfRange(encoded, 4, encoded.length);
        }
        for (int size : new int[] {16, 200, 4096}) {
            seeds.add(ByteBuffer.allocate(16 + block.length)
                    .putLong(200)
                    .putInt(size)
                    .putInt(block.length)
                    .put(block)
                    .array());
        }
        seeds.add(ByteBuffer.allocate(21 + 200)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(7)
                .put((byte) 8)
                .putLong(-5)
                .position(21)
                .put(plain)
                .array());
        seeds.add(ByteBuffer.allocate(40)
                .put((byte) 31)
                .put(plain, 0, 32)
                .putInt(0x20FF0010)
                .array());
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.UINT16, 100))) {
            Fuzz.check(
                    "codec " + spec,
                    3 * INPUTS,
                    1 << 20,
                    "",
                    random -> ByteMutator.mutate(seeds, random),
                    input -> Chunks.decode(chain, input));
        }
    }

    static Stream<DataType> variable() {
        return Stream.of(DataType.text(), DataType.binary(), DataType.sequence(DataType.INT32))
                .flatMap(type -> Stream.of(type, type.upTo(12)));
    }

    /** Tries wrong counts and lengths of elements of variable length, whether the longest is known or not. */
    @ParameterizedTest
    @MethodSource("variable")
    void variableLength(DataType type) throws IOException {
        ElementContext context = new ElementContext(type, ByteOrder.LITTLE_ENDIAN, Shape.of(20), 4096);
        List<byte[]> seeds = new ArrayList<>();
        for (String name : List.of("none", "zstd")) {
            ByteBuffer chunk = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
            chunk.putInt(20);
            for (int i = 0; i < 20; i++) {
                chunk.putInt(i % 4 * 4).put(new byte[i % 4 * 4]);
            }
            byte[] plain = Arrays.copyOf(chunk.array(), chunk.position());
            seeds.add(plain);
            for (int wrong : new int[] {0, 4, 8, 20}) {
                for (int value : new int[] {-1, 21, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20}) {
                    byte[] lying = plain.clone();
                    ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putInt(wrong, value);
                    seeds.add(lying);
                }
            }
            List<CodecSpec> specs = name.equals("none") ? List.of() : List.of(CodecSpec.of(name));
            decodeDamaged("codec of " + type + " " + specs, specs, context, seeds);
        }
    }

    /** Tries damaged texts in JSON. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 40})
    void jsonTexts(int longest) throws IOException {
        DataType type = longest < 0 ? DataType.text() : DataType.text().upTo(longest);
        ElementContext context = new ElementContext(type, ByteOrder.LITTLE_ENDIAN, Shape.of(2, 3), 4096);
        List<byte[]> seeds = Stream.of(
                        "[[\"a\",\"\",\"\\ud83d\\ude00\"],[\"b\\n\\u20ac\\\"\",\"c\",\"d\"],\"|O\",[2,3]]",
                        "[[\"a\",null,1.5],[{\"b\":[]},true,\"d\"],\"|O\",[2,3]]",
                        "[[\"\\ud83d\",\"\\ude00x\",\"\\u12\"],[\"\\q\",\"c\",\"d",
                        "[\"" + "x".repeat(5000) + "\"]",
                        "")
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        decodeDamaged("codec json2 of " + type, List.of(CodecSpec.of("json2")), context, seeds);
    }

    private static void decodeDamaged(String name, List<CodecSpec> specs, ElementContext context, List<byte[]> seeds)
            throws IOException {
        try (CodecChain chain = Codecs.chain(specs, context)) {
            Fuzz.check(name, 3 * INPUTS, 1 << 20, "", random -> ByteMutator.mutate(seeds, random), input -> {
                byte[] decoded;
                try {
                    decoded = Chunks.decode(chain, input);
                } catch (CodecException e) {
                    if (chain.decodesElements()) {
                        assertThrows(CodecException.class, () -> elements(chain, input, 0, chain.decodedSize()));
                    }
                    throw e;
                }
                if (chain.decodesElements()) {
                    int size = context.dataType().itemSize();
                    assertArrayEquals(decoded, elements(chain, input, 0, decoded.length));
                    assertArrayEquals(
                            Arrays.copyOfRange(decoded, 3 * size, 8 * size),
                            elements(chain, input, 3L * size, 8L * size));
                }
            });
        }
    }

    /** {@return a part of a chunk, decoded element by element with exactly the memory that the chain declares} */
    private static byte[] elements(CodecChain chain, byte[] chunk, long from, long to) throws IOException {
        ByteBuffer encoded = ByteBuffer.allocateDirect(chunk.length).put(chunk).flip();
        ByteBuffer decoded = ByteBuffer.allocate((int) (to - from));
        Scratch scratch = Scratch.allocate((int) chain.decodeElementsNeeds().scratchBytes());
        chain.decodeElements(encoded, from, to, decoded::put, scratch);
        return decoded.array();
    }

    /** Tries malformed options in metadata. */
    @ParameterizedTest
    @MethodSource("chains")
    void settings(List<CodecSpec> specs) {
        List<Object> lies = new ArrayList<>(List.of(
                0L,
                -1L,
                1L,
                3L,
                17L,
                255L,
                1L << 31,
                Long.MIN_VALUE,
                0.5,
                Double.NaN,
                "",
                "zstd",
                "lz4",
                "<f8",
                "|b1"));
        lies.add(new BigDecimal("1e999999999"));
        lies.add(new BigInteger("9".repeat(60)));
        lies.add(List.of(Map.of("id", 33L, "dict_size", 1L << 62)));
        lies.add(List.of(0L, 0L));
        lies.add(Map.of());
        Fuzz.check(
                "settings " + specs,
                40,
                12 << 20,
                "",
                random -> new byte[] {(byte) random.nextInt(), (byte) random.nextInt(), (byte) random.nextInt()},
                input -> {
                    List<CodecSpec> lying = new ArrayList<>(specs);
                    int which = (input[0] & 0xFF) % specs.size();
                    CodecSpec spec = specs.get(which);
                    List<String> names = new ArrayList<>(spec.options().keySet());
                    names.addAll(List.of("level", "dtype", "typesize", "blocksize", "filters", "order"));
                    Object lie = lies.get((input[2] & 0xFF) % lies.size());
                    lying.set(which, spec.with(names.get((input[1] & 0xFF) % names.size()), lie));
                    try (CodecChain chain = Codecs.chain(lying, CONTEXT)) {
                        chain.decodeNeeds();
                        chain.encodeNeeds();
                    }
                });
    }
}
