package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The LZ4 of N5, which is the stream of the class {@code LZ4BlockOutputStream} of lz4-java. It is neither the LZ4 frame
 * format nor the format of numcodecs. A stream is a sequence of blocks, and ends with an empty block. Each block has a
 * header of {@code "LZ4Block"}, a token (method and largest block size), the compressed size, the decoded size and a
 * checksum.
 *
 * <p>The option {@code blocksize} is the size of blocks when encoding; the default is 65536.
 */
final class Lz4BlockCodec implements Codec {
    private static final long MAGIC = 0x6B636F6C42345A4CL; // "LZ4Block" in little-endian order
    private static final int HEADER = Long.BYTES + 1 + 3 * Integer.BYTES;
    private static final int COPIED = 0x10;
    private static final int COMPRESSED = 0x20;
    private static final int SMALLEST_SHIFT = 10;
    private static final int SMALLEST = 64;
    private static final int LARGEST = 1 << 25;
    private static final int SEED = 0x9747B28C;
    private static final int CHECKSUM_BITS = 0x0FFFFFFF;

    /** The smallest size of blocks that is expected of other writers, for any option. */
    private static final int EXPECTED_LEAST = 1 << 12;

    private final int blockSize;
    private final int token;
    private final Lz4Blocks blocks = Lz4Blocks.fast(1);
    private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();

    private Lz4BlockCodec(int blockSize) {
        this.blockSize = blockSize;
        this.token = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(blockSize - 1) - SMALLEST_SHIFT);
    }

    static Lz4BlockCodec create(CodecOptions options) throws CodecException {
        int blockSize = options.integer("blocksize", 1 << 16, SMALLEST, LARGEST);
        options.requireNoOthers();
        return new Lz4BlockCodec(blockSize);
    }

    @Override
    public String name() {
        return "lz4block";
    }

    @Override
    public String identity() {
        return "lz4block(" + blockSize + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        long headers = decodedSize / Math.min(blockSize, EXPECTED_LEAST) + 2;
        int block = (int) Math.min(blockSize, decodedSize);
        return decodedSize + headers * HEADER + blocks.maxCompressedSize(block) - block;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return new Needs(0, blocks.compressionMemory(blockSize));
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        ByteBuffer in = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        boolean more = true;
        while (more) {
            more = decodeBlock(in, decoded);
        }
        encoded.position(encoded.position() + in.position());
    }

    /** Decodes a block; {@return false if it was the empty block at the end} */
    private boolean decodeBlock(ByteBuffer in, ByteBuffer decoded) throws CodecException {
        if (in.remaining() < HEADER || in.getLong() != MAGIC) {
            throw new CodecException("lz4block: there is no block at byte " + in.position() + " of " + in.limit());
        }
        int method = in.get() & 0xFF;
        int largest = 1 << ((method & 0x0F) + SMALLEST_SHIFT);
        method &= 0xF0;
        int compressed = in.getInt();
        int size = in.getInt();
        int sum = in.getInt();
        if ((method != COPIED && method != COMPRESSED)
                || size < 0
                || size > largest
                || compressed < 0
                || compressed > in.remaining()
                || (size == 0) != (compressed == 0)
                || (method == COPIED && size != compressed)) {
            throw new CodecException("lz4block: the header of the block before byte " + in.position() + " is corrupt");
        }
        if (size > decoded.remaining()) {
            throw new CodecException("lz4block: the chunk decodes to more bytes than expected");
        }
        int to = decoded.position();
        if (method == COPIED) {
            decoded.put(to, in, in.position(), size);
        } else {
            blocks.decompress(in, in.position(), compressed, decoded, to, size);
        }
        if (sum != (size == 0 ? 0 : checksum(decoded, to, size))) {
            throw new CodecException("lz4block: the checksum of " + size + " bytes is wrong");
        }
        in.position(in.position() + compressed);
        decoded.position(to + size);
        return size > 0;
    }

    private int checksum(ByteBuffer buffer, int from, int size) {
        return hash.hash(buffer, from, size, SEED) & CHECKSUM_BITS;
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        ByteBuffer out = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        while (decoded.hasRemaining()) {
            encodeBlock(decoded, Math.min(blockSize, decoded.remaining()), out);
        }
        putHeader(out, out.position(), COPIED, 0, 0, 0);
        encoded.position(encoded.position() + out.position() + HEADER);
    }

    private void encodeBlock(ByteBuffer decoded, int size, ByteBuffer out) throws CodecException {
        int from = decoded.position();
        int start = out.position();
        int compressed = blocks.compress(decoded, from, size, out, start + HEADER);
        boolean gains = compressed < size;
        if (!gains) {
            out.put(start + HEADER, decoded, from, size);
            compressed = size;
        }
        putHeader(out, start, gains ? COMPRESSED : COPIED, compressed, size, checksum(decoded, from, size));
        decoded.position(from + size);
        out.position(start + HEADER + compressed);
    }

    private void putHeader(ByteBuffer out, int at, int method, int compressed, int size, int sum) {
        out.putLong(at, MAGIC).put(at + Long.BYTES, (byte) (method | token));
        out.putInt(at + 9, compressed).putInt(at + 13, size).putInt(at + 17, sum);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
