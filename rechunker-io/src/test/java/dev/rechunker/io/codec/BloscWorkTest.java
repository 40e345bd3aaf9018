package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that frames are written in few pieces, and that malformed frames do not take long. */
class BloscWorkTest {
    /** Many blocks, or elements that do not compress, are written at once if they have at most 1 MiB. */
    @ParameterizedTest
    @CsvSource({"1, 1", "200, 1", "1048576, 1", "1048577, 2", "3145728, 4"})
    void framesAreWrittenInFewPieces(int size, int most) throws Exception {
        byte[] random = new byte[size];
        new Random(size).nextBytes(random);
        byte[] half = random.clone();
        Arrays.fill(half, 0, size / 2, (byte) 1);
        CodecSpec blosc = CodecSpec.of("blosc").with("blocksize", Math.max(128, size / 1000));
        try (CodecChain chain = Codecs.chain(List.of(blosc), Chunks.line(DataType.UINT8, size))) {
            for (byte[] chunk : List.of(random, half)) {
                Scratch scratch = Chunks.scratch(chain.encodeStreamNeeds());
                List<Long> pieces = new ArrayList<>();
                long total = chain.encodeStream(
                        ByteBuffer.wrap(chunk), (at, bytes) -> pieces.add((long) bytes.remaining()), scratch);
                assertTrue(pieces.size() <= most, () -> pieces + " of " + size);
                assertTrue(pieces.stream().mapToLong(p -> p).sum() >= total);
            }
        }
    }

    /** Blocks that the option {@code blocksize} makes larger than those of c-blosc are decoded, too. */
    @Test
    void largeBlocksOfAnOptionAreDecoded() throws CodecException {
        int size = 5 << 20;
        CodecSpec blosc = Chunks.blosc("zstd", 1, 1).with("blocksize", 4 << 20);
        byte[] elements =
                Chunks.elements("mixed", new NumberType(NumberType.Kind.UINT, 2, ByteOrder.LITTLE_ENDIAN), size / 2);
        try (CodecChain chain = Codecs.chain(List.of(blosc), Chunks.line(DataType.UINT16, size / 2))) {
            byte[] encoded = Chunks.encode(chain, elements);
            assertEquals(
                    4 << 20,
                    ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt(8),
                    "size of a block");
            assertArrayEquals(elements, Chunks.decode(chain, encoded));
        }
    }

    /**
     * Every block refers to the same stream, which has much compressed input without output, and a few bytes at the
     * end.
     */
    @Test
    void refusesBlocksThatShareAStream() throws CodecException {
        int size = 1 << 20;
        int block = 8;
        int blocks = size / block;
        ByteBuffer frame = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        int stream = 16 + 4 * blocks;
        new BloscFrame(3 << 5 | BloscFrame.NOT_SPLIT, 1, size, block, size).write(frame);
        frame.position(16);
        for (int i = 0; i < blocks; i++) {
            frame.putInt(stream);
        }
        frame.putInt(size - stream - 4).putShort((short) 0x0178);
        while (frame.remaining() > 30) {
            frame.put((byte) 0).putShort((short) 0).putShort((short) -1); // an empty stored block
        }
        frame.put((byte) 1).putShort((short) block).putShort((short) ~block);
        frame.position(frame.position() + block).putInt(Integer.reverseBytes(block << 16 | 1)); // Adler-32 of zeros
        CodecSpec blosc = CodecSpec.of("blosc").with("blocksize", block);
        try (CodecChain chain = Codecs.chain(List.of(blosc), Chunks.line(DataType.UINT8, size))) {
            assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> assertThrows(CodecException.class, () -> Chunks.decode(chain, frame.array())));
        }
    }
}
