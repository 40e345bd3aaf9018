package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** The codec {@code bz2} of numcodecs. It writes one bzip2 stream, and reads any number of concatenated ones. */
final class Bzip2Codec implements Codec {
    /**
     * The size of a block per level, in bytes. Compressing takes 13 times that, and decompressing 5 times, in addition
     * to tables.
     */
    private static final long BLOCK = 100_000L;

    private static final long TABLES = 1 << 20;

    private final int level;

    private Bzip2Codec(int level) {
        this.level = level;
    }

    static Bzip2Codec create(CodecOptions options) throws CodecException {
        int level = options.integer("level", 1, 1, 9);
        options.requireNoOthers();
        return new Bzip2Codec(level);
    }

    @Override
    public String name() {
        return "bz2";
    }

    @Override
    public String identity() {
        return "bz2(" + level + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return decodedSize + (decodedSize >> 5) + 1024;
    }

    /**
     * {@inheritDoc}
     *
     * <p>This is enough for a stream of any level.
     */
    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(0, 9 * 5L * BLOCK + TABLES);
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return new Needs(0, level * 13L * BLOCK + TABLES);
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        try (InputStream in = new BZip2CompressorInputStream(BufferStreams.reading(encoded), true)) {
            BufferStreams.readAll(in, decoded);
        } catch (CodecException e) {
            throw new CodecException("bz2: " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            // The library does not check all indexes that it reads from a stream, so it can throw runtime exceptions.
            throw CodecException.ofStream("bz2", e);
        }
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        try (OutputStream out = new BZip2CompressorOutputStream(BufferStreams.writing(encoded), level)) {
            BufferStreams.writeAll(decoded, out);
        } catch (IOException e) {
            throw new CodecException("bz2: the chunk cannot be compressed", e);
        }
    }
}
