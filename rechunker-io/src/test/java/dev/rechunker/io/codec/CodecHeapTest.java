package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.resource.Scratch;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What codecs in Java allocate on the heap is at most what they state, so that it is counted in the memory limit. */
class CodecHeapTest {
    /** Objects whose number does not depend on sizes. */
    private static final long SMALL = 128 << 10;

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static Codec codec(String text) throws CodecException {
        CodecOptions options = new CodecOptions(CodecSpec.parse(text).get(0));
        return text.startsWith("lzma") ? LzmaCodec.create(options) : Bzip2Codec.create(options);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lzma:preset=0",
                "lzma:preset=6",
                "lzma:preset=9",
                "lzma:preset=9,format=2",
                "bz2:level=1",
                "bz2:level=9"
            })
    void heapIsStated(String text) throws Exception {
        for (int size : new int[] {100, 100_000, 1_000_000}) {
            ByteBuffer decoded = ByteBuffer.allocateDirect(size);
            Random random = new Random(size);
            while (decoded.hasRemaining()) {
                decoded.put((byte) random.nextInt(7));
            }
            decoded.flip();
            Codec codec = codec(text);
            ByteBuffer encoded = ByteBuffer.allocateDirect((int) codec.maxEncodedSize(size));
            codec.encode(decoded.duplicate(), encoded.duplicate(), Scratch.allocate(0)); // loads classes

            long before = allocated();
            codec.encode(decoded.duplicate(), encoded, Scratch.allocate(0));
            long ofEncoding = allocated() - before;
            encoded.flip();
            ByteBuffer again = ByteBuffer.allocateDirect(size);
            before = allocated();
            codec.decode(encoded, again, Scratch.allocate(0));
            long ofDecoding = allocated() - before;

            assertEquals(decoded, again.flip());
            assertAtMost(codec.encodeNeeds(size).nativeBytes(), ofEncoding, text + " encodes " + size);
            assertAtMost(codec.decodeNeeds(size).nativeBytes(), ofDecoding, text + " decodes " + size);
        }
    }

    private static void assertAtMost(long stated, long allocated, String what) {
        assertTrue(allocated <= stated + SMALL, what + ": " + allocated + " bytes allocated, " + stated + " stated");
    }
}
