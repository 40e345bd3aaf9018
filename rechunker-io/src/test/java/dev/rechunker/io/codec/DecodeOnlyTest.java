package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the codecs of filters that only HDF5 has. Tests of HDF5 read valid files with them. */
class DecodeOnlyTest {
    private static final int ELEMENTS = 100;

    static Stream<CodecSpec> specs() {
        CodecSpec shuffle = CodecSpec.of("hdf5.bitshuffle").with("elementsize", 2);
        return Stream.of(
                CodecSpec.of("hdf5.lzf"),
                CodecSpec.of("hdf5.lz4"),
                CodecSpec.of("hdf5.lz4").with("blocksize", 16),
                shuffle.with("cname", "none"),
                shuffle.with("cname", "lz4"),
                shuffle.with("cname", "zstd").with("blocksize", 16),
                CodecSpec.of("hdf5.scaleoffset").with("parameters", scaleOffset(0)),
                CodecSpec.of("hdf5.scaleoffset").with("parameters", scaleOffset(16)));
    }

    /**
     * {@return the parameters of the filter for integers of two bytes; 0 bits let each chunk have its own number of
     * bits}
     */
    private static List<Long> scaleOffset(long bits) {
        List<Long> parameters = new ArrayList<>(Collections.nCopies(20, 0L));
        parameters.set(0, 2L);
        parameters.set(1, bits);
        parameters.set(2, (long) ELEMENTS);
        parameters.set(4, 2L);
        parameters.set(7, 1L);
        return parameters;
    }

    /** Random bytes, with and without a plausible header before them. */
    @ParameterizedTest
    @MethodSource("specs")
    void randomBytes(CodecSpec spec) throws CodecException {
        Random random = new Random(spec.toString().hashCode());
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.UINT16, ELEMENTS))) {
            for (int i = 0; i < 3000; i++) {
                byte[] bytes = new byte[random.nextInt((int) chain.maxEncodedSize() + 1)];
                random.nextBytes(bytes);
                if (i % 3 > 0 && bytes.length > 24) {
                    ByteBuffer head = ByteBuffer.wrap(bytes);
                    head.putLong(0, 2L * ELEMENTS)
                            .putInt(8, 16 << random.nextInt(6))
                            .putInt(12, random.nextInt(40));
                    if (i % 3 == 1) {
                        head.order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(0, random.nextInt(18))
                                .put(4, (byte) 8);
                    }
                }
                try {
                    Chunks.decode(chain, bytes);
                } catch (CodecException e) {
                    assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
                }
            }
            assertThrows(CodecException.class, () -> Chunks.encode(chain, new byte[2 * ELEMENTS]));
        }
        assertFalse(Codecs.isSupported(spec.name()));
    }

    /** HDF5 stores them without a header, so zeros at the start must not be read as a header with 0 bits. */
    @Test
    void scaledNumbersOfFullWidthAreStoredUnchanged() throws CodecException {
        byte[] elements = new byte[2 * ELEMENTS];
        Arrays.fill(elements, ELEMENTS, elements.length, (byte) 7);
        List<Long> parameters = scaleOffset(16);
        parameters.set(6, 1L);
        CodecSpec spec = CodecSpec.of("hdf5.scaleoffset").with("parameters", parameters);
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.UINT16, ELEMENTS))) {
            assertArrayEquals(elements, Chunks.decode(chain, elements));
            assertThrows(CodecException.class, () -> Chunks.decode(chain, Arrays.copyOf(elements, 2 * ELEMENTS - 1)));
        }
    }

    @Test
    void bitshuffledBlocksAreCompressedEvenIfThatMakesThemLarger() throws CodecException {
        int bytes = 2 * 96;
        CodecSpec spec = CodecSpec.of("hdf5.bitshuffle").with("elementsize", 2).with("blocksize", 96);
        ByteBuffer block = ByteBuffer.allocateDirect(bytes);
        ByteBuffer stored = ByteBuffer.allocateDirect(2 * bytes + 16);
        Random random = new Random(1);
        int size = 0;
        try (Lz4Blocks lz4 = Lz4Blocks.fast(1)) {
            while (size != bytes) { // random bytes, a few of which repeat
                byte[] randomBytes = new byte[bytes];
                random.nextBytes(randomBytes);
                System.arraycopy(randomBytes, 0, randomBytes, 20 + random.nextInt(100), 4 + random.nextInt(8));
                block.put(0, randomBytes);
                size = lz4.compress(block, 0, bytes, stored, 16);
            }
        }
        stored.putLong(0, bytes).putInt(8, bytes).putInt(12, size);
        byte[] plain = new byte[bytes];
        block.get(0, plain);
        byte[] compressed = new byte[16 + size];
        stored.get(0, compressed);
        try (CodecChain none = Codecs.chain(List.of(spec.with("cname", "none")), Chunks.line(DataType.UINT16, 96));
                CodecChain lz4 = Codecs.chain(List.of(spec.with("cname", "lz4")), Chunks.line(DataType.UINT16, 96))) {
            assertArrayEquals(Chunks.decode(none, plain), Chunks.decode(lz4, compressed));
        }
    }

    @Test
    void fletcherIsCheckedInBothOrders() throws CodecException {
        byte[] elements =
                Chunks.elements("mixed", new NumberType(NumberType.Kind.UINT, 2, ByteOrder.LITTLE_ENDIAN), 99);
        List<CodecSpec> specs = List.of(CodecSpec.of("hdf5.fletcher32"));
        try (CodecChain chain = Codecs.chain(specs, Chunks.line(DataType.UINT16, 99))) {
            byte[] sealed = Chunks.encode(chain, elements);
            assertArrayEquals(elements, Chunks.decode(chain, sealed));
            ByteBuffer end = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
            int sum = end.getInt(198);
            end.putInt(198, Fletcher32.swapped(sum));
            assertArrayEquals(elements, Chunks.decode(chain, sealed));
            end.putInt(198, sum + 1);
            assertThrows(CodecException.class, () -> Chunks.decode(chain, sealed));
        }
    }

    /** The checksums are those in the definition of the algorithm. */
    @Test
    void fletcherIsThatOfItsDefinition() {
        assertEquals(0x0000_0000, Fletcher32.of(ByteBuffer.allocate(64)));
        assertEquals(0xAABBCCDD, Fletcher32.swapped(Fletcher32.swapped(0xAABBCCDD)));
        assertEquals(0xBBAADDCC, Fletcher32.swapped(0xAABBCCDD));
        // Words 0x6162, 0x6364, 0x6500.
        ByteBuffer text = ByteBuffer.wrap(new byte[] {'a', 'b', 'c', 'd', 'e'});
        int first = (0x6162 + 0x6364 + 0x6500) % 65535;
        int second = (3 * 0x6162 + 2 * 0x6364 + 0x6500) % 65535;
        assertEquals((second << 16) | first, Fletcher32.of(text));
    }
}
