package dev.rechunker.io.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/** Whole Zstandard frames; on reading also several behind one another, and frames that do not say their size. */
final class ZstdBlocks implements BlockCompressor {
    /** A decompression context without a stream buffer; the library says 95 to 160 kB, by version. */
    static final long DECOMPRESSION_MEMORY = 192 << 10;

    private final int level;
    private final Pool<ZstdCompressCtx> compressors;
    private final Pool<ZstdDecompressCtx> decompressors;

    ZstdBlocks(int level, boolean checksum) {
        this.level = level;
        this.compressors =
                new Pool<>(() -> new ZstdCompressCtx().setLevel(level).setChecksum(checksum), ZstdCompressCtx::close);
        this.decompressors = Pool.thrifty(ZstdDecompressCtx::new, ZstdDecompressCtx::close);
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
            compressors.give(context);
        }
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        int got = decompressSome(source, from, compressed, target, to, size);
        if (got != size) {
            throw new CodecException("zstd: a frame decompresses to " + got + " bytes, not to " + size);
        }
    }

    /** {@return how many bytes the frames decompress to, at most {@code room}} */
    int decompressSome(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int room)
            throws CodecException {
        ZstdDecompressCtx context = decompressors.take();
        try {
            return context.decompressDirectByteBuffer(target, to, room, source, from, compressed);
        } catch (ZstdException e) {
            throw new CodecException(
                    "zstd: " + compressed + " bytes do not decompress to at most " + room + ": " + e.getMessage(), e);
        } finally {
            decompressors.give(context);
        }
    }

    /**
     * {@return an upper bound of the tables of a compression context} By level: the hash and chain tables of the
     * library's default parameters for long input, which shrink to a few words per byte for short input, besides the
     * buffers of one block.
     */
    @Override
    public long compressionMemory(int size) {
        int hash;
        int chain;
        if (level <= 4) {
            hash = 18;
            chain = 18;
        } else if (level <= 8) {
            hash = 20;
            chain = 20;
        } else if (level <= 15) {
            hash = 23;
            chain = 23;
        } else if (level <= 19) {
            hash = 22;
            chain = 24;
        } else {
            hash = 25;
            chain = 27;
        }
        long words = (1L << hash) + (1L << chain);
        long fitting = 8L * Long.highestOneBit(Math.max(size, 1 << 14));
        long tags = 2L << hash;
        return 4 * Math.min(words, fitting) + Math.min(tags, fitting) + (4L << 20);
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
