package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4BlockInputStream;
import net.jpountz.lz4.LZ4BlockOutputStream;
import org.junit.jupiter.api.Test;

/** Tests that we read the streams of classes of lz4-java, which n5 uses, and that these classes read ours. */
class Lz4BlockTest {
    @Test
    void streamsAreReadByEachOther() throws IOException {
        Random random = new Random(40);
        for (int blockSize : new int[] {64, 700, 1024, 4096, 65536, 1 << 20}) {
            for (int size : new int[] {0, 1, 63, 64, 65, 5000, 200_000}) {
                byte[] chunk = new byte[size];
                random.nextBytes(chunk);
                for (int i = 0; i < size; i++) {
                    chunk[i] = i / 3000 % 2 == 0 ? (byte) (i / 70) : chunk[i];
                }
                CodecSpec spec = CodecSpec.of("lz4block").with("blocksize", blockSize);
                try (CodecChain chain = Codecs.chain(List.of(spec), Chunks.line(DataType.UINT8, size))) {
                    byte[] ours = Chunks.encode(chain, chunk);
                    try (InputStream in = LZ4BlockInputStream.newBuilder().build(new ByteArrayInputStream(ours))) {
                        assertArrayEquals(chunk, in.readAllBytes());
                    }
                    ByteArrayOutputStream theirs = new ByteArrayOutputStream();
                    try (OutputStream out = new LZ4BlockOutputStream(theirs, blockSize)) {
                        out.write(chunk);
                    }
                    assertTrue(theirs.size() <= chain.maxEncodedSize());
                    assertArrayEquals(chunk, Chunks.decode(chain, theirs.toByteArray()));
                }
            }
        }
    }
}
