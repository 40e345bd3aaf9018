package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The codec {@code lz4} of numcodecs: the decoded size in four little-endian bytes, then one raw block. */
final class Lz4Codec implements Codec {
    private static final int HEADER = Integer.BYTES;

    private final int acceleration;
    private final Lz4Blocks blocks;

    private Lz4Codec(int acceleration) {
        this.acceleration = acceleration;
        this.blocks = Lz4Blocks.fast(acceleration);
    }

    static Lz4Codec create(CodecOptions options) throws CodecException {
        int acceleration = Math.max(1, options.integer("acceleration", 1, Integer.MIN_VALUE, 65537));
        options.requireNoOthers();
        return new Lz4Codec(acceleration);
    }

    @Override
    public String name() {
        return "lz4";
    }

    @Override
    public String identity() {
        return "lz4(" + acceleration + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return HEADER + decodedSize + decodedSize / 255 + 16;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return new Needs(0, blocks.compressionMemory(0));
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int compressed = encoded.remaining() - HEADER;
        if (compressed < 0) {
            throw new CodecException("lz4: " + encoded.remaining() + " bytes are too few for the decoded size");
        }
        int size = encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(encoded.position());
        if (size < 0 || size > decoded.remaining()) {
            throw new CodecException(
                    "lz4: the chunk has a header for " + size + " decoded bytes instead of " + decoded.remaining());
        }
        blocks.decompress(encoded, encoded.position() + HEADER, compressed, decoded, decoded.position(), size);
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + size);
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        int start = encoded.position();
        int size = decoded.remaining();
        encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN).putInt(start, size);
        int compressed = blocks.compress(decoded, decoded.position(), size, encoded, start + HEADER);
        decoded.position(decoded.limit());
        encoded.position(start + HEADER + compressed);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
