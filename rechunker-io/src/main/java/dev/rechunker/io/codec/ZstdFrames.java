package dev.rechunker.io.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decompresses Zstandard frames piece by piece. What the frame refers back to, its window, is in native memory; so the
 * window is limited.
 */
final class ZstdFrames {
    /** The largest window in bytes, which is that of level 19. */
    static final long MOST_WINDOW = 8 << 20;

    /** The highest level whose frames have no larger window, if a chunk is larger. */
    static final int MOST_LEVEL = 19;

    /**
     * The size of chunks in bytes from which they are decompressed piece by piece: smaller ones take little more memory
     * than the window.
     */
    static final long LEAST_CHUNK = 4 * MOST_WINDOW;

    /** The native memory in bytes: a context, a window, and an input and an output block of 128 KiB, rounded up. */
    static final long MEMORY = ZstdBlocks.DECOMPRESSION_MEMORY + MOST_WINDOW + (512 << 10);

    private static final int MAGIC = 0xFD2FB528;
    private static final int SINGLE_SEGMENT = 0x20;
    private static final int FIXED = 5;
    private static final int LEAST_FRAME = 8;
    private static final int[] DICTIONARY_ID_BYTES = {0, 1, 2, 4};

    private ZstdFrames() {}

    /**
     * Decompresses all frames.
     *
     * @throws CodecException if a frame is corrupt, has a larger window, or all decompress to more than a chunk
     */
    static void decompress(EncodedInput source, DecodedRuns target) throws IOException {
        // A context keeps its window, so that it is not shared with those for complete frames.
        try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            do {
                requireWindow(source);
                boolean isEnd = false;
                while (!isEnd) {
                    boolean more = source.fill();
                    long before = target.size();
                    isEnd = context.decompressDirectByteBufferStream(target.buffer(), source.buffer());
                    if (!isEnd && !more && target.size() == before) {
                        throw new CodecException("zstd: a frame is cut off");
                    }
                    target.pass();
                }
            } while (!source.isAtEnd());
        } catch (ZstdException e) {
            throw new CodecException("zstd: a frame is corrupt: " + e.getMessage(), e);
        }
    }

    /** Checks the size of the window in the header of a frame (RFC 8878, section 3.1.1.1). */
    private static void requireWindow(EncodedInput source) throws IOException {
        source.require(LEAST_FRAME);
        ByteBuffer in = source.buffer();
        int at = in.position();
        if (in.getInt(at) != MAGIC) {
            return; // a frame to be skipped, or none, which the library says
        }
        int flags = in.get(at + Integer.BYTES);
        long window;
        if ((flags & SINGLE_SEGMENT) == 0) {
            int descriptor = in.get(at + FIXED) & 0xFF;
            long base = 1L << (10 + (descriptor >> 3));
            window = base + base / 8 * (descriptor & 7);
        } else {
            int skipped = FIXED + DICTIONARY_ID_BYTES[flags & 3];
            int bytes = 1 << ((flags & 0xFF) >> 6);
            source.require(skipped + bytes);
            window = 0;
            for (int i = bytes - 1; i >= 0; i--) {
                window = (window << Byte.SIZE) | (in.get(in.position() + skipped + i) & 0xFF);
            }
        }
        if (window < 0 || window > MOST_WINDOW) {
            throw new CodecException("zstd: a frame needs a window of " + Long.toUnsignedString(window)
                    + " bytes, but chunks of this size are decoded with at most " + MOST_WINDOW);
        }
    }
}
