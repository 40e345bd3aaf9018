package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that are decompressed piece by piece, with windows that are smaller than a chunk. */
class ZstdFramesTest {
    /** A little more than the largest window. */
    private static final int SIZE = 9_000_000;

    private static byte[] bytes() {
        byte[] bytes = new byte[SIZE];
        Random random = new Random(5);
        for (int i = 0; i < SIZE; i++) {
            // Runs repeat from nearby, and from almost the size of the window before.
            bytes[i] = (byte) (i % 4096 < 3000 && i > 8_000_000 ? bytes[i - 8_000_000] : random.nextInt(40));
        }
        return bytes;
    }

    private static CodecChain chain(int level) throws CodecException {
        ElementContext context = new ElementContext(DataType.INT8, ByteOrder.LITTLE_ENDIAN, Shape.of(SIZE));
        return Codecs.chain(List.of(CodecSpec.of("zstd").with("level", level)), context);
    }

    @ParameterizedTest
    @ValueSource(ints = {-5, 1, 3, 9, 19})
    void framesOfEachLevelAreDecoded(int level) throws IOException {
        byte[] bytes = bytes();
        try (CodecChain chain = chain(level)) {
            byte[] encoded = Chunks.encode(chain, bytes);
            assertArrayEquals(bytes, Chunks.decode(chain, encoded));
        }
    }

    @Test
    void framesWithoutSizeAndSeveralFramesAreDecoded() throws IOException {
        byte[] bytes = bytes();
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        int half = SIZE / 2;
        encoded.write(Zstd.compress(Arrays.copyOf(bytes, half)));
        encoded.write(new byte[] {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3}); // a frame to be skipped
        try (ZstdOutputStream out = new ZstdOutputStream(encoded, 3)) {
            out.write(bytes, half, SIZE - half);
        }
        try (CodecChain chain = chain(3)) {
            assertArrayEquals(bytes, Chunks.decodeStream(chain, encoded.toByteArray(), 0, SIZE));
        }
    }

    @Test
    void largerWindowIsRefused() throws IOException {
        byte[] bytes = Arrays.copyOf(bytes(), 3 * SIZE);
        byte[] encoded;
        try (ZstdCompressCtx context = new ZstdCompressCtx().setLong(24)) {
            encoded = context.compress(bytes);
        }
        try (CodecChain chain = chain(3)) {
            String message = String.valueOf(
                    assertThrows(CodecException.class, () -> Chunks.decodeStream(chain, encoded, 0, SIZE))
                            .getMessage());
            assertEquals(
                    "zstd: a frame needs a window of 16777216 bytes, but chunks of this size are decoded with at most"
                            + " 8388608",
                    message);
        }
    }

    @Test
    void onlyLargeChunksOfModerateLevelsAreStreamed() throws IOException {
        for (int level : new int[] {3, 19, 20}) {
            for (int size : new int[] {1 << 20, 32 << 20}) {
                ElementContext context = new ElementContext(DataType.INT8, ByteOrder.LITTLE_ENDIAN, Shape.of(size));
                try (CodecChain chain =
                        Codecs.chain(List.of(CodecSpec.of("zstd").with("level", level)), context)) {
                    assertEquals(level < 20 && size == 32 << 20, chain.decodesStream(), level + ", " + size);
                    assertTrue(chain.canDecodeStream());
                    assertFalse(chain.canEncodeStream());
                }
            }
        }
    }
}
