package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A frame cannot ask for much more work than its bytes are worth. */
class BloscWorkTest {
    /** Every block is the same stream: much compressed input that is worth nothing, and at its end a few bytes. */
    @Test
    void blocksThatShareAStream() throws CodecException {
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
            frame.put((byte) 0).putShort((short) 0).putShort((short) -1); // a stored block of no byte
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
