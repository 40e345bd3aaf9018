package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** DEFLATE streams, with or without the frame of zlib. */
final class ZlibBlocks implements BlockCompressor {
    /** What zlib documents for its default window and memory level, rounded up. */
    static final long DEFLATE_MEMORY = 288 << 10;

    /** Window and tables of an inflater, rounded up. */
    static final long INFLATE_MEMORY = 64 << 10;

    private final Pool<Deflater> deflaters;
    private final Pool<Inflater> inflaters;

    /** What one stream took and gave. */
    record Taken(int compressed, int size) {}

    ZlibBlocks(int level, boolean bare) {
        this.deflaters = new Pool<>(() -> new Deflater(level, bare), Deflater::end);
        this.inflaters = Pool.thrifty(() -> new Inflater(bare), Inflater::end);
    }

    @Override
    public int maxCompressedSize(int size) {
        return Math.toIntExact(bound(size));
    }

    /** {@return a bound that holds for any writer that stores blocks of at least 8 kB where it cannot compress} */
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
                    throw new CodecException("zlib: " + size + " bytes do not fit into " + (target.limit() - to));
                }
            }
            return out.position() - to;
        } finally {
            deflater.reset();
            deflaters.give(deflater);
        }
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        Taken taken = decompressSome(source, from, compressed, target, to, size);
        if (taken.size() != size) {
            throw new CodecException("zlib: a stream inflates to " + taken.size() + " bytes, not to " + size);
        }
    }

    /** Inflates one stream of at most {@code compressed} bytes to at most {@code room} bytes. */
    Taken decompressSome(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int room)
            throws CodecException {
        Inflater inflater = inflaters.take();
        try {
            inflater.setInput(source.slice(from, compressed));
            ByteBuffer out = target.duplicate().limit(to + room).position(to);
            ByteBuffer probe = ByteBuffer.allocate(1);
            while (!inflater.finished()) {
                // With no room left the end of the stream must come, and a byte more is one too many.
                int got = inflater.inflate(out.hasRemaining() ? out : probe);
                if (!probe.hasRemaining()) {
                    throw new CodecException("zlib: a stream inflates to more than " + room + " bytes");
                }
                if (got == 0 && !inflater.finished()) {
                    throw new CodecException(
                            inflater.needsDictionary()
                                    ? "zlib: a stream needs a dictionary"
                                    : "zlib: a stream is cut off after " + inflater.getBytesRead() + " bytes");
                }
            }
            return new Taken(compressed - inflater.getRemaining(), out.position() - to);
        } catch (DataFormatException e) {
            throw new CodecException("zlib: a stream of " + compressed + " bytes is corrupt: " + e.getMessage(), e);
        } finally {
            inflater.reset();
            inflaters.give(inflater);
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
