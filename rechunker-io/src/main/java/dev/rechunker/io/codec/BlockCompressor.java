package dev.rechunker.io.codec;

import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * A compressor of bare blocks whose decoded size is known from elsewhere: what Blosc frames are made of. Positions are
 * absolute, buffers direct; for use by many threads at once.
 */
interface BlockCompressor extends Closeable {
    /** {@return the most bytes that {@code size} bytes can take} */
    int maxCompressedSize(int size);

    /**
     * Compresses {@code size} bytes; {@link #maxCompressedSize} bytes are free at {@code to}.
     *
     * @return the compressed size; 0 or at least {@code size} if nothing is gained, and the output then means nothing
     */
    int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) throws CodecException;

    /**
     * Decompresses {@code compressed} bytes to exactly {@code size} bytes, and writes nothing behind them.
     *
     * @throws CodecException if they are corrupt, or decompress to another number of bytes
     */
    void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException;

    /** {@return the memory that compressing a block of {@code size} bytes holds, besides the buffers} */
    long compressionMemory(int size);

    /** {@return the memory that decompressing a block holds, besides the buffers} */
    long decompressionMemory();

    /** Frees native state. */
    @Override
    default void close() {}
}
