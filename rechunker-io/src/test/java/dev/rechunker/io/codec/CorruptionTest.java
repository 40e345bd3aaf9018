package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged chunks are refused, or decode to a whole chunk of something; nothing else happens, and nothing is overrun.
 */
class CorruptionTest {
    private static final int TRIES = 300;

    static List<CodecSpec> specs() {
        List<CodecSpec> specs = new ArrayList<>(RoundTripTest.compressors());
        specs.add(CodecSpec.of("shuffle").with("elementsize", 2));
        specs.add(CodecSpec.of("delta").with("dtype", "<i2").with("astype", "|i1"));
        specs.add(CodecSpec.of("packbits"));
        specs.add(CodecSpec.of("bytes").with("endian", "big"));
        return specs;
    }

    @ParameterizedTest
    @MethodSource("specs")
    void damagedChunks(CodecSpec spec) throws CodecException {
        Random random = new Random(spec.toString().hashCode());
        for (int size : new int[] {40, 3000, 20_000}) {
            byte[] chunk = new byte[2 * size];
            for (int i = 0; i < chunk.length; i++) {
                chunk[i] = (byte) (i % 7 == 0 ? random.nextInt(9) : i / 90);
            }
            ElementContext context = Chunks.line(DataType.INT16, size);
            try (CodecChain chain = Codecs.chain(List.of(spec), context)) {
                byte[] encoded = Chunks.encode(chain, chunk);
                int tries = size > 10_000 ? TRIES / 10 : TRIES;
                for (int i = 0; i < tries; i++) {
                    survive(chain, damaged(encoded, random));
                }
            }
        }
    }

    /** The same, with plausible lies in the place of four bytes of the head. */
    @ParameterizedTest
    @MethodSource("specs")
    void lyingHeads(CodecSpec spec) throws CodecException {
        int[] lies = {
            0, 1, -1, 4, 127, 128, 6000, 6001, 12_000, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, 255 << 24
        };
        byte[] chunk = Chunks.elements("mixed", new NumberType(NumberType.Kind.INT, 2, ByteOrder.LITTLE_ENDIAN), 3000);
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.INT16, 3000))) {
            byte[] encoded = Chunks.encode(chain, chunk);
            for (int at = 0; at < Math.min(40, encoded.length - 4); at++) {
                for (int lie : lies) {
                    byte[] bytes = encoded.clone();
                    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, lie);
                    survive(chain, bytes);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("specs")
    void chunksOfAnotherSize(CodecSpec spec) throws CodecException {
        byte[] chunk = Chunks.elements("mixed", new NumberType(NumberType.Kind.INT, 2, ByteOrder.LITTLE_ENDIAN), 3000);
        try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.INT16, 3000))) {
            byte[] encoded = Chunks.encode(chain, chunk);
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

    private static void survive(CodecChain chain, byte[] bytes) {
        try {
            Chunks.decode(chain, bytes);
        } catch (CodecException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
        }
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] copy = bytes.clone();
        switch (random.nextInt(5)) {
            case 0 -> copy = Arrays.copyOf(copy, random.nextInt(copy.length + 1));
            case 1 -> copy = Arrays.copyOf(copy, copy.length + 1 + random.nextInt(40));
            case 2 -> {
                int at = random.nextInt(Math.min(copy.length, 40));
                copy[at] = (byte) random.nextInt();
            }
            default -> {
                for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                    copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return copy;
    }
}
