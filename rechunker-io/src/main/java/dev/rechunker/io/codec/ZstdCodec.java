package dev.rechunker.io.codec;

import com.github.luben.zstd.Zstd;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A codec whose chunks are Zstandard frames. It writes one frame with its size, and also reads concatenated frames, and
 * frames without their size.
 */
final class ZstdCodec implements WholeStreamDecoder {
    private final int level;
    private final boolean checksum;
    private final ZstdBlocks blocks;

    private ZstdCodec(int level, boolean checksum) {
        this.level = level;
        this.checksum = checksum;
        this.blocks = new ZstdBlocks(level, checksum);
    }

    static ZstdCodec create(CodecOptions options) throws CodecException {
        options.ignore("nbWorkers", "nthreads");
        int level = options.integer("level", 3, Zstd.minCompressionLevel(), Zstd.maxCompressionLevel());
        boolean checksum = options.flag("checksum", false);
        options.requireNoOthers();
        return new ZstdCodec(level, checksum);
    }

    /** {@return the codec for the filter of HDF5; its client data is the level} */
    static Hdf5Filter.Decoding ofHdf5(int[] data) {
        return Hdf5Filter.Decoding.of(CodecSpec.of("zstd").with("level", Hdf5Filter.get(data, 0, 3, -100, 22)));
    }

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public String identity() {
        return "zstd(" + level + "," + checksum + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return decodedSize + (decodedSize >> 8) + 1024;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(0, blocks.decompressionMemory());
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return new Needs(0, blocks.compressionMemory((int) Math.min(decodedSize, Integer.MAX_VALUE)));
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        if (!encoded.hasRemaining()) {
            throw new CodecException("zstd: there is no frame in 0 bytes");
        }
        int size = blocks.decompressSome(
                encoded, encoded.position(), encoded.remaining(), decoded, decoded.position(), decoded.remaining());
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + size);
    }

    /** {@return whether chunks are large, and frames of this level have no larger window than can be counted} */
    @Override
    public boolean prefersStream(long decodedSize) {
        return level <= ZstdFrames.MOST_LEVEL && decodedSize >= ZstdFrames.LEAST_CHUNK;
    }

    @Override
    public long streamMemory() {
        return ZstdFrames.MEMORY;
    }

    @Override
    public void decodeAll(EncodedInput encoded, DecodedRuns decoded) throws IOException {
        ZstdFrames.decompress(encoded, decoded);
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
