package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4JNIFastResetCompressor;
import net.jpountz.lz4.LZ4JNIHCFastResetCompressor;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Compresses and decompresses raw LZ4 blocks. There is a fast compressor, and a slow one with higher compression. */
final class Lz4Blocks implements BlockCompressor {
    private static final long FAST_MEMORY = 17 << 10;
    private static final long HIGH_MEMORY = 270 << 10;

    private final Pool<LZ4Compressor> compressors;
    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final boolean high;

    private Lz4Blocks(Pool<LZ4Compressor> compressors, boolean high) {
        this.compressors = compressors;
        this.high = high;
    }

    /**
     * {@return the fast compressor; an acceleration greater than 1 makes it faster and blocks larger, with the native
     * library}
     */
    static Lz4Blocks fast(int acceleration) {
        return new Lz4Blocks(new Pool<>(() -> newFast(acceleration), Lz4Blocks::free), false);
    }

    /** {@return the compressor with high compression, at a level from 1 to 17} */
    static Lz4Blocks high(int level) {
        return new Lz4Blocks(new Pool<>(() -> newHigh(level), Lz4Blocks::free), true);
    }

    private static LZ4Compressor newFast(int acceleration) {
        try {
            return LZ4Factory.fastestInstance().fastResetCompressor(acceleration);
        } catch (UnsupportedOperationException e) {
            return LZ4Factory.fastestInstance().fastCompressor();
        }
    }

    private static LZ4Compressor newHigh(int level) {
        try {
            return LZ4Factory.fastestInstance().highFastResetCompressor(level);
        } catch (UnsupportedOperationException e) {
            return LZ4Factory.fastestInstance().highCompressor(level);
        }
    }

    private static void free(LZ4Compressor compressor) {
        if (compressor instanceof LZ4JNIFastResetCompressor fast) {
            fast.close();
        } else if (compressor instanceof LZ4JNIHCFastResetCompressor hc) {
            hc.close();
        }
    }

    @Override
    public int maxCompressedSize(int size) {
        return size + size / 255 + 16;
    }

    @Override
    public int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) throws CodecException {
        LZ4Compressor compressor = compressors.take();
        try {
            return compressor.compress(source, from, size, target, to, maxCompressedSize(size));
        } catch (LZ4Exception e) {
            throw new CodecException("lz4: a block of " + size + " bytes cannot be compressed", e);
        } finally {
            compressors.giveBack(compressor);
        }
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        int got;
        try {
            got = decompressor.decompress(source, from, compressed, target, to, size);
        } catch (LZ4Exception e) {
            throw new CodecException("lz4: a block of " + compressed + " bytes is corrupt", e);
        }
        if (got != size) {
            throw new CodecException("lz4: a block decompresses to " + got + " bytes instead of " + size);
        }
    }

    @Override
    public long compressionMemory(int size) {
        return high ? HIGH_MEMORY : FAST_MEMORY;
    }

    @Override
    public long decompressionMemory() {
        return 0;
    }

    @Override
    public void close() {
        compressors.close();
    }
}
