package dev.rechunker.io.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/**
 * Compresses and decompresses complete Zstandard frames. It also reads concatenated frames, and frames without their
 * size.
 */
final class ZstdBlocks implements BlockCompressor {
    /**
     * The memory of a decompression context without a stream buffer, in bytes. The library reports 95 to 160 kB,
     * depending on its version.
     */
    static final long DECOMPRESSION_MEMORY = 192 << 10;

    /**
     * The binary logarithms of the sizes of hash tables for long input, by level from 1. Source of this and the next
     * table: {@code ZSTD_defaultCParameters} of the library; levels 1 and 2 have no chains.
     */
    private static final int[] HASH_LOG = {
        14, 16, 17, 18, 19, 19, 20, 20, 21, 22, 22, 23, 22, 23, 23, 22, 22, 22, 22, 23, 24, 25
    };

    private static final int[] CHAIN_LOG = {
        0, 0, 16, 18, 18, 18, 19, 19, 20, 21, 21, 22, 22, 22, 23, 22, 23, 23, 24, 25, 26, 27
    };

    private static final int DEFAULT_LEVEL = 3;

    /** The binary logarithm of the smallest window for which tables are sized. */
    private static final int LEAST_WINDOW_LOG = 14;

    /** The lowest level with statistics for optimal parsing, for some length of input. */
    private static final int LEAST_OPTIMAL_LEVEL = 11;

    /** The lowest level with long-distance matching. */
    private static final int LEAST_DISTANT_LEVEL = 20;

    private static final int MOST_BLOCK_BYTES = 128 << 10;

    private final int level;
    private final Pool<ZstdCompressCtx> compressors;
    private final Pool<ZstdDecompressCtx> decompressors;

    ZstdBlocks(int level, boolean checksum) {
        this.level = level;
        this.compressors =
                new Pool<>(() -> new ZstdCompressCtx().setLevel(level).setChecksum(checksum), ZstdCompressCtx::close);
        this.decompressors = Pool.keepingFew(ZstdDecompressCtx::new, ZstdDecompressCtx::close);
    }

    @Override
    public int maxCompressedSize(int size) {
        return Math.toIntExact(Zstd.compressBound(size));
    }

    @Override
    public int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) throws CodecException {
        ZstdCompressCtx context = compressors.take();
        try {
            return context.compressDirectByteBuffer(target, to, target.limit() - to, source, from, size);
        } catch (ZstdException e) {
            throw new CodecException("zstd: " + size + " bytes cannot be compressed: " + e.getMessage(), e);
        } finally {
            compressors.giveBack(context);
        }
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        int got = decompressSome(source, from, compressed, target, to, size);
        if (got != size) {
            throw new CodecException("zstd: a frame decompresses to " + got + " bytes instead of " + size);
        }
    }

    /** Decompresses frames to at most {@code limit} bytes; {@return the decompressed size} */
    int decompressSome(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int limit)
            throws CodecException {
        ZstdDecompressCtx context = decompressors.take();
        try {
            return context.decompressDirectByteBuffer(target, to, limit, source, from, compressed);
        } catch (ZstdException e) {
            throw new CodecException(
                    "zstd: " + compressed + " bytes do not decompress to at most " + limit + ": " + e.getMessage(), e);
        } finally {
            decompressors.giveBack(context);
        }
    }

    /**
     * {@return an upper limit of the memory of a compression context for input of at most {@code size} bytes}
     *
     * <p>A context has a hash table and a chain table of 4-byte words, whose size depends on the level, and is at most
     * twice the size of the input in words. It has up to five bytes per byte of a block for literals and sequences. At
     * high levels, it also has statistics and tables for long-distance matching.
     */
    @Override
    public long compressionMemory(int size) {
        int tabled = level == 0 ? DEFAULT_LEVEL : Math.min(Math.max(level, 1), HASH_LOG.length);
        int most = Math.max(LEAST_WINDOW_LOG, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, size - 1))) + 1;
        long words = (1L << Math.min(HASH_LOG[tabled - 1], most)) + (1L << Math.min(CHAIN_LOG[tabled - 1], most));
        long statistics = tabled >= LEAST_OPTIMAL_LEVEL ? 1 << 20 : 0;
        long distant = tabled >= LEAST_DISTANT_LEVEL ? 10 << 20 : 0;
        return Integer.BYTES * words + 5L * Math.min(size, MOST_BLOCK_BYTES) + statistics + distant + (512 << 10);
    }

    @Override
    public long decompressionMemory() {
        return DECOMPRESSION_MEMORY;
    }

    @Override
    public void close() {
        compressors.close();
        decompressors.close();
    }
}
