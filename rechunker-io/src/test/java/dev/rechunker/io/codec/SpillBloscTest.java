package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.Scratch;
import dev.rechunker.testing.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that pieces of temporary files are decoded correctly, and take at most the declared memory. */
class SpillBloscTest {
    private final SpillCodec codec = new SpillBlosc();

    @Test
    void serviceLoaderFindsTheCodec() {
        assertEquals(codec.name(), SpillCodec.find().orElseThrow().name());
    }

    @Test
    void piecesAreDecodedWithinDeclaredMemory() {
        int[] smaller = {0};
        Cases.check(300, cases -> {
            int itemSize = cases.oneOf(1, 2, 3, 4, 8, 16, 300);
            int most = (int) cases.between(1, cases.oneOf(10L, 1_000L, 300_000L)) * itemSize;
            int bytes = (int) cases.between(1, most / itemSize) * itemSize;
            ByteBuffer piece = piece(cases.random(), bytes, cases.random().nextBoolean());
            ByteBuffer encoded = ByteBuffer.allocateDirect((int) codec.encodeBuffer(bytes, itemSize));
            codec.encode(
                    piece.duplicate(), itemSize, encoded, Scratch.allocate((int) codec.encodeScratch(most, itemSize)));
            encoded.flip();
            assertTrue(encoded.limit() <= bytes + SpillCodec.MAX_OVERHEAD, () -> bytes + " took " + encoded.limit());
            smaller[0] += encoded.limit() < bytes / 2 ? 1 : 0;
            ByteBuffer back = ByteBuffer.allocateDirect(bytes);
            codec.decode(encoded, itemSize, back, Scratch.allocate((int) codec.decodeScratch(most, itemSize)));
            assertEquals(piece, back.flip());
        });
        assertTrue(smaller[0] > 50, () -> "only " + smaller[0] + " got smaller");
    }

    /** {@return a piece of random bytes or of small numbers} */
    private static ByteBuffer piece(Random random, int bytes, boolean noise) {
        ByteBuffer piece = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < bytes; i++) {
            piece.put(i, (byte) (noise ? random.nextInt() : i % 16 == 0 ? random.nextInt(8) : 0));
        }
        return piece;
    }

    @Test
    void pieceOfAnotherSizeIsRefused() throws IOException {
        ByteBuffer encoded = ByteBuffer.allocateDirect((int) codec.encodeBuffer(4000, 4));
        codec.encode(piece(new Random(1), 4000, false), 4, encoded, Scratch.allocate(1 << 20));
        encoded.flip();
        for (int bytes : new int[] {3996, 4004}) {
            assertThrows(
                    IOException.class,
                    () -> codec.decode(
                            encoded.duplicate(), 4, ByteBuffer.allocateDirect(bytes), Scratch.allocate(1 << 20)));
        }
    }
}
