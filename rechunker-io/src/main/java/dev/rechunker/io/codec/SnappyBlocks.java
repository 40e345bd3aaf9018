package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/** Compresses and decompresses raw Snappy blocks, which start with their decoded size. */
final class SnappyBlocks implements BlockCompressor {
    /** @throws CodecException if the library is not on the class path, or cannot be loaded */
    static SnappyBlocks create() throws CodecException {
        Library.SNAPPY.require("snappy");
        return new SnappyBlocks();
    }

    private SnappyBlocks() {}

    @Override
    public int maxCompressedSize(int size) {
        return Math.addExact(size, size / 6 + 32);
    }

    @Override
    public int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) throws CodecException {
        try {
            return Snappy.compress(source.slice(from, size), target.slice(to, target.limit() - to));
        } catch (IOException e) {
            throw new CodecException("snappy: " + size + " bytes cannot be compressed", e);
        }
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        try {
            ByteBuffer block = source.slice(from, compressed);
            int claimed = Snappy.uncompressedLength(block);
            if (claimed != size) {
                throw new CodecException(
                        "snappy: a block has a header for " + claimed + " decoded bytes instead of " + size);
            }
            int got = Snappy.uncompress(block, target.slice(to, size));
            if (got != size) {
                throw new CodecException("snappy: a block decompresses to " + got + " bytes instead of " + size);
            }
        } catch (CodecException e) {
            throw e;
        } catch (IOException e) {
            throw new CodecException("snappy: a block of " + compressed + " bytes is corrupt", e);
        }
    }

    /** {@return the largest size of the hash table, in bytes} */
    @Override
    public long compressionMemory(int size) {
        return 128 << 10;
    }

    @Override
    public long decompressionMemory() {
        return 0;
    }
}
