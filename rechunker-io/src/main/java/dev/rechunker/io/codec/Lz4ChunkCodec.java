package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The registered filter 32004 of HDF5, LZ4. A chunk has, in big-endian order, the decoded size in eight bytes and the
 * size of a block in four bytes. For each block follow its compressed size in four bytes and a raw LZ4 block. If that
 * size is the decoded one, the block is not compressed.
 */
final class Lz4ChunkCodec implements DecodeOnlyCodec {
    private static final int HEADER = Long.BYTES + Integer.BYTES;

    private static final int LARGEST_BLOCK = 1 << 30;

    private final int blockSize;
    private final Lz4Blocks blocks = Lz4Blocks.fast(1);

    private Lz4ChunkCodec(int blockSize) {
        this.blockSize = blockSize;
    }

    static Lz4ChunkCodec create(CodecOptions options) throws CodecException {
        int blockSize = options.integer("blocksize", 0, 0, Integer.MAX_VALUE);
        options.requireNoOthers();
        return new Lz4ChunkCodec(blockSize == 0 ? LARGEST_BLOCK : blockSize);
    }

    /** {@return the codec for the filter of HDF5; its client data is the size of a block} */
    static Hdf5Filter.Decoding ofHdf5(int[] data) {
        long blockSize = Hdf5Filter.get(data, 0, 0);
        return new Hdf5Filter.Decoding(
                CodecSpec.of("lz4"), CodecSpec.of("hdf5.lz4").with("blocksize", blockSize));
    }

    @Override
    public String name() {
        return "lz4";
    }

    @Override
    public String identity() {
        return "hdf5.lz4(" + blockSize + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        long blocks = decodedSize / blockSize + 1;
        return HEADER + decodedSize + decodedSize / 255 + blocks * (Integer.BYTES + 16);
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        ByteBuffer in = encoded.slice().order(ByteOrder.BIG_ENDIAN);
        if (in.remaining() < HEADER) {
            throw new CodecException("lz4: a chunk of " + in.remaining() + " bytes is cut off");
        }
        long size = in.getLong();
        long block = in.getInt();
        if (size < 0 || size > decoded.remaining() || (block <= 0 && size > 0)) {
            throw new CodecException("lz4: the chunk has a header for " + size + " decoded bytes in blocks of " + block
                    + " instead of " + decoded.remaining() + " decoded bytes");
        }
        for (long left = size; left > 0; left -= Math.min(block, left)) {
            decodeBlock(in, decoded, (int) Math.min(block, left));
        }
        encoded.position(encoded.position() + in.position());
    }

    /** Reads the size before the next block; {@return the size} */
    static int blockSize(ByteBuffer in) throws CodecException {
        int compressed = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        if (compressed < 0 || compressed > in.remaining()) {
            throw new CodecException("lz4: a block has a size of " + compressed + " bytes at byte " + in.position()
                    + " of " + in.limit());
        }
        return compressed;
    }

    private void decodeBlock(ByteBuffer in, ByteBuffer decoded, int size) throws CodecException {
        int compressed = blockSize(in);
        if (compressed == size) {
            decoded.put(decoded.position(), in, in.position(), size);
        } else {
            blocks.decompress(in, in.position(), compressed, decoded, decoded.position(), size);
        }
        in.position(in.position() + compressed);
        decoded.position(decoded.position() + size);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
