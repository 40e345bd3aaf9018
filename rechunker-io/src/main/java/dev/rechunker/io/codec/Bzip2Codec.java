package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** The bz2 of numcodecs: bzip2 streams, of which one is written and any number read. */
final class Bzip2Codec implements Codec {
    /** Compressing a block of 100 kB holds it 13 times; decompressing, 5 times. Both have tables besides. */
    private static final long BLOCK = 100_000L;

    private static final long TABLES = 1 << 20;

    private final int level;

    private Bzip2Codec(int level) {
        this.level = level;
    }

    static Bzip2Codec create(CodecOptions options) throws CodecException {
        int level = options.integer("level", 1, 1, 9);
        options.end();
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

    /** A stream of any level may come. */
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
            BufferStreams.drain(in, decoded);
        } catch (CodecException e) {
            throw new CodecException("bz2: " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            // The library does not check every index that it takes from the stream.
            throw CodecException.ofStream("bz2", e);
        }
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        try (OutputStream out = new BZip2CompressorOutputStream(BufferStreams.writing(encoded), level)) {
            BufferStreams.pour(decoded, out);
        } catch (IOException e) {
            throw new CodecException("bz2: the chunk cannot be compressed", e);
        }
    }
}
