package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A codec whose chunks are one zlib stream (RFC 1950). */
final class ZlibCodec implements WholeStreamDecoder {
    private final int level;
    private final ZlibBlocks blocks;

    private ZlibCodec(int level) {
        this.level = level;
        this.blocks = new ZlibBlocks(level, false);
    }

    static ZlibCodec create(CodecOptions options) throws CodecException {
        int level = options.integer("level", 1, -1, 9);
        options.requireNoOthers();
        return new ZlibCodec(level);
    }

    @Override
    public String name() {
        return "zlib";
    }

    @Override
    public String identity() {
        return "zlib(" + level + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return ZlibBlocks.bound(decodedSize);
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(0, ZlibBlocks.INFLATE_MEMORY);
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return new Needs(0, ZlibBlocks.DEFLATE_MEMORY);
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        ZlibBlocks.StreamSizes sizes = blocks.decompressSome(
                encoded, encoded.position(), encoded.remaining(), decoded, decoded.position(), decoded.remaining());
        encoded.position(encoded.position() + sizes.compressed());
        decoded.position(decoded.position() + sizes.size());
    }

    @Override
    public boolean prefersStream(long decodedSize) {
        return decodedSize >= ZlibBlocks.LEAST_STREAM;
    }

    @Override
    public long streamMemory() {
        return ZlibBlocks.INFLATE_MEMORY;
    }

    @Override
    public void decodeAll(EncodedInput encoded, DecodedRuns decoded) throws IOException {
        blocks.decompress(encoded, decoded, run -> {});
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        int size = blocks.compress(decoded, decoded.position(), decoded.remaining(), encoded, encoded.position());
        decoded.position(decoded.limit());
        encoded.position(encoded.position() + size);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
