package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The registered filter 32008 of HDF5, bitshuffle: blocks of elements whose bits are shuffled, optionally compressed.
 *
 * <p>A compressed chunk starts with the decoded size in eight bytes and the size of a block in four bytes, both
 * big-endian. Each block follows its compressed size, and is compressed even if that does not make it smaller. The last
 * block has the largest multiple of eight elements that is left. Up to seven elements follow it, which are not
 * shuffled.
 */
final class BitShuffleCodec implements DecodeOnlyCodec {
    private static final int HEADER = Long.BYTES + Integer.BYTES;
    private static final int TARGET_BLOCK = 8192;
    private static final int MIN_BLOCK = 128;

    /**
     * The largest size of a block. Larger blocks are refused, because they would need more memory than the codec
     * declares.
     */
    private static final int MOST_BLOCK_BYTES = 1 << 20;

    private final int width;
    private final int block;
    private final BlockCompressor compressor;
    private final String compression;

    private BitShuffleCodec(int width, int block, BlockCompressor compressor, String compression) {
        this.width = width;
        this.block = block;
        this.compressor = compressor;
        this.compression = compression;
    }

    static BitShuffleCodec create(CodecOptions options) throws CodecException {
        int width = options.integer("elementsize", 1, 1, 1 << 13);
        int asked = options.integer("blocksize", 0, 0, MOST_BLOCK_BYTES);
        String compression = options.requiredText("cname");
        options.requireNoOthers();
        if (asked % 8 != 0 || (long) asked * width > MOST_BLOCK_BYTES) {
            throw options.refusal("blocksize", asked, "is not a multiple of 8, or makes blocks of more than 1 MiB");
        }
        BlockCompressor compressor = switch (compression) {
            case "none", "lz4" -> {
                Library.LZ4.require("bitshuffle");
                yield Lz4Blocks.fast(1);
            }
            case "zstd" -> {
                Library.ZSTD.require("bitshuffle");
                yield new ZstdBlocks(1, false);
            }
            default -> throw options.refusal("cname", compression, "is neither none, lz4 nor zstd");
        };
        int usual = Math.max(MIN_BLOCK, TARGET_BLOCK / width / 8 * 8);
        return new BitShuffleCodec(width, asked == 0 ? usual : asked, compressor, compression);
    }

    /**
     * {@return the codec for the filter's client data: two versions, size of an element, number of elements in a block,
     * compressor, level}
     */
    static Hdf5Filter.Decoding ofHdf5(int[] data, int itemSize) throws CodecException {
        String compressor = switch (Hdf5Filter.get(data, 4, 0)) {
            case 0 -> "none";
            case 2 -> "lz4";
            case 3 -> "zstd";
            default -> throw new CodecException("bitshuffle with " + Arrays.toString(data) + " is not supported");
        };
        return Hdf5Filter.Decoding.own(
                "bitshuffle",
                codec -> codec.with("elementsize", (long) Hdf5Filter.get(data, 2, itemSize))
                        .with("blocksize", (long) Hdf5Filter.get(data, 3, 0))
                        .with("cname", compressor));
    }

    @Override
    public String name() {
        return "bitshuffle";
    }

    @Override
    public String identity() {
        return "hdf5.bitshuffle(" + width + "," + block + "," + compression + ")";
    }

    private boolean isCompressed() {
        return !compression.equals("none");
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        if (!isCompressed()) {
            return decodedSize;
        }
        long blocks = decodedSize / ((long) width * block) + 2;
        return HEADER + decodedSize + decodedSize / 255 + blocks * (Integer.BYTES + 64);
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(2 * Math.min(decodedSize, MOST_BLOCK_BYTES), compressor.decompressionMemory());
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        ByteBuffer in = encoded.slice().order(ByteOrder.BIG_ENDIAN);
        ByteBuffer out = decoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        long size = in.limit();
        long blockBytes = (long) block * width;
        if (isCompressed()) {
            if (size < HEADER) {
                throw new CodecException("bitshuffle: a chunk of " + size + " bytes is cut off");
            }
            size = in.getLong();
            blockBytes = in.getInt();
        }
        long eight = 8L * width;
        if (size < 0 || size > out.limit()) {
            throw new CodecException(
                    "bitshuffle: the chunk has a header for " + size + " decoded bytes instead of " + out.limit());
        }
        if (blockBytes <= 0 || blockBytes % eight != 0 || blockBytes > MOST_BLOCK_BYTES) {
            throw new CodecException("bitshuffle: the chunk has a header for blocks of " + blockBytes
                    + " bytes, which is not valid for elements of " + width + " bytes");
        }
        decodeBlocks(in, out, (int) (size / eight * eight), (int) blockBytes, scratch);
        int rest = (int) size - out.position();
        if (rest > in.remaining()) {
            throw new CodecException("bitshuffle: the chunk is cut off");
        }
        out.put(out.position(), in, in.position(), rest);
        encoded.position(encoded.position() + in.position() + rest);
        decoded.position(decoded.position() + (int) size);
    }

    private void decodeBlocks(ByteBuffer in, ByteBuffer out, int whole, int blockBytes, Scratch scratch)
            throws CodecException {
        int mark = scratch.mark();
        ByteBuffer bits = scratch.take(Math.min(blockBytes, whole));
        ByteBuffer planes = scratch.take(Math.min(blockBytes, whole));
        while (out.position() < whole) {
            int at = out.position();
            int bytes = Math.min(blockBytes, whole - at);
            if (isCompressed()) {
                int compressed = Lz4ChunkCodec.blockSize(in);
                compressor.decompress(in, in.position(), compressed, bits, 0, bytes);
                in.position(in.position() + compressed);
            } else {
                bits.put(0, in, in.position(), bytes);
                in.position(in.position() + bytes);
            }
            int elements = bytes / width;
            BitShuffle.join(bits, 0, planes, 0, width, elements);
            ByteShuffle.unshuffle(planes, 0, out, at, width, bytes);
            out.position(at + bytes);
        }
        scratch.release(mark);
    }

    @Override
    public void close() {
        compressor.close();
    }
}
