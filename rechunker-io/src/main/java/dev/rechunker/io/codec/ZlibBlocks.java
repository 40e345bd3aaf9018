package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses and decompresses DEFLATE streams, with or without the header and checksum of zlib. */
final class ZlibBlocks implements BlockCompressor {
    /** The memory of a deflater with default window and memory level as documented by zlib, rounded up, in bytes. */
    static final long DEFLATE_MEMORY = 288 << 10;

    /** The memory of an inflater, for window and tables, rounded up, in bytes. */
    static final long INFLATE_MEMORY = 64 << 10;

    /** The size of chunks in bytes from which they are decoded piece by piece. */
    static final long LEAST_STREAM = 1 << 20;

    private final Pool<Deflater> deflaters;
    private final Pool<Inflater> inflaters;

    /** The compressed and the decompressed size of a stream. */
    record StreamSizes(int compressed, int size) {}

    ZlibBlocks(int level, boolean bare) {
        this.deflaters = new Pool<>(() -> new Deflater(level, bare), Deflater::end);
        this.inflaters = Pool.keepingFew(() -> new Inflater(bare), Inflater::end);
    }

    @Override
    public int maxCompressedSize(int size) {
        return Math.toIntExact(bound(size));
    }

    /**
     * {@return the largest compressed size, by any writer that stores blocks of at least 8 kB if it cannot compress}
     */
    static long bound(long size) {
        return size + (size >> 8) + 1024;
    }

    @Override
    public int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) throws CodecException {
        Deflater deflater = deflaters.take();
        try {
            deflater.setInput(source.slice(from, size));
            deflater.finish();
            ByteBuffer out = target.duplicate().position(to);
            while (!deflater.finished()) {
                if (deflater.deflate(out) == 0 && !deflater.finished()) {
                    throw new CodecException("zlib: " + size + " bytes do not fit into " + (target.limit() - to)
                            + " bytes when compressed");
                }
            }
            return out.position() - to;
        } finally {
            deflater.reset();
            deflaters.giveBack(deflater);
        }
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        StreamSizes sizes = decompressSome(source, from, compressed, target, to, size);
        if (sizes.size() != size) {
            throw new CodecException("zlib: a stream decompresses to " + sizes.size() + " bytes instead of " + size);
        }
    }

    /**
     * Decompresses one stream piece by piece.
     *
     * @param each receives what was decompressed, before it is passed on
     * @throws CodecException if the stream is corrupt, or decompresses to more than a chunk
     */
    void decompress(EncodedInput source, DecodedRuns target, Consumer<ByteBuffer> each) throws IOException {
        Inflater inflater = inflaters.take();
        try {
            while (!inflater.finished()) {
                boolean more = source.fill();
                inflater.setInput(source.buffer());
                ByteBuffer free = target.buffer();
                int start = free.position();
                int got = inflater.inflate(free);
                if (got == 0 && !inflater.finished() && (!more || inflater.needsDictionary())) {
                    throw new CodecException(
                            inflater.needsDictionary()
                                    ? "zlib: a stream needs a dictionary"
                                    : "zlib: a stream is cut off after " + inflater.getBytesRead() + " bytes");
                }
                each.accept(free.slice(start, got));
                target.pass();
            }
        } catch (DataFormatException e) {
            throw new CodecException("zlib: a stream is corrupt: " + e.getMessage(), e);
        } finally {
            inflater.reset();
            inflaters.giveBack(inflater);
        }
    }

    /**
     * Decompresses one stream of at most {@code compressed} bytes to at most {@code limit} bytes; {@return the sizes}
     */
    StreamSizes decompressSome(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int limit)
            throws CodecException {
        Inflater inflater = inflaters.take();
        try {
            inflater.setInput(source.slice(from, compressed));
            ByteBuffer out = target.duplicate().limit(to + limit).position(to);
            ByteBuffer probe = ByteBuffer.allocate(1);
            while (!inflater.finished()) {
                // If the output is full, the stream must end; one more byte is too many.
                int got = inflater.inflate(out.hasRemaining() ? out : probe);
                if (!probe.hasRemaining()) {
                    throw new CodecException("zlib: a stream decompresses to more than " + limit + " bytes");
                }
                if (got == 0 && !inflater.finished()) {
                    throw new CodecException(
                            inflater.needsDictionary()
                                    ? "zlib: a stream needs a dictionary"
                                    : "zlib: a stream is cut off after " + inflater.getBytesRead() + " bytes");
                }
            }
            return new StreamSizes(compressed - inflater.getRemaining(), out.position() - to);
        } catch (DataFormatException e) {
            throw new CodecException("zlib: a stream of " + compressed + " bytes is corrupt: " + e.getMessage(), e);
        } finally {
            inflater.reset();
            inflaters.giveBack(inflater);
        }
    }

    @Override
    public long compressionMemory(int size) {
        return DEFLATE_MEMORY;
    }

    @Override
    public long decompressionMemory() {
        return INFLATE_MEMORY;
    }

    @Override
    public void close() {
        deflaters.close();
        inflaters.close();
    }
}
