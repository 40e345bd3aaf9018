package dev.rechunker.io.codec;

import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * A compressor of blocks that do not contain their decoded size, as in Blosc frames. Positions are absolute, and
 * buffers are direct. Thread-safe.
 */
interface BlockCompressor extends Closeable {
    /** {@return the largest compressed size of {@code size} bytes} */
    int maxCompressedSize(int size);

    /**
     * Compresses {@code size} bytes. At {@code to}, {@link #maxCompressedSize} bytes can be written.
     *
     * @return the compressed size; 0 or at least {@code size} if the block does not become smaller, and the output is
     *     not valid
     */
    int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) throws CodecException;

    /**
     * Decompresses {@code compressed} bytes to exactly {@code size} bytes, and writes nothing after them.
     *
     * @throws CodecException if they are corrupt, or decompress to another number of bytes
     */
    void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException;

    /** {@return the memory for compressing a block of {@code size} bytes, in addition to the buffers, in bytes} */
    long compressionMemory(int size);

    /** {@return the memory for decompressing a block, in addition to the buffers, in bytes} */
    long decompressionMemory();

    /** Frees native memory. */
    @Override
    default void close() {}
}
