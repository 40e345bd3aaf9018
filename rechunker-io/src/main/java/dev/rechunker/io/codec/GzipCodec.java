package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/** The gzip format (RFC 1952). It writes one member, and reads any number of concatenated ones. */
final class GzipCodec implements WholeStreamDecoder {
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int UNKNOWN_SYSTEM = 255;
    private static final int HEADER = 10;
    private static final int TRAILER = 8;

    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final int level;
    private final ZlibBlocks blocks;

    private GzipCodec(int level) {
        this.level = level;
        this.blocks = new ZlibBlocks(level, true);
    }

    /** {@return the codec; a {@link ZlibCodec} if the option {@code useZlib} of N5 is set} */
    static Codec create(CodecOptions options) throws CodecException {
        if (options.flag("useZlib", false)) {
            return ZlibCodec.create(options);
        }
        int level = options.integer("level", 1, -1, 9);
        options.requireNoOthers();
        return new GzipCodec(level);
    }

    /** {@return the codec for the filter deflate of HDF5, which is a zlib stream; its client data is the level} */
    static Hdf5Filter.Decoding ofHdf5(int[] data) {
        long level = Hdf5Filter.get(data, 0, 6, 0, 9);
        return new Hdf5Filter.Decoding(CodecSpec.of("gzip").with("level", level), CodecSpec.of("zlib"));
    }

    @Override
    public String name() {
        return "gzip";
    }

    @Override
    public String identity() {
        return "gzip(" + level + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return ZlibBlocks.bound(decodedSize) + HEADER + TRAILER;
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
        EncodedInput in = EncodedInput.of(name(), encoded);
        try {
            do {
                decodeMember(in, decoded);
            } while (!in.isAtEnd());
        } catch (CodecException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        }
        encoded.position(encoded.limit());
    }

    private void decodeMember(EncodedInput encoded, ByteBuffer decoded) throws IOException {
        skipHeader(encoded);
        ByteBuffer in = encoded.buffer();
        int start = decoded.position();
        ZlibBlocks.StreamSizes sizes =
                blocks.decompressSome(in, in.position(), in.remaining(), decoded, start, decoded.remaining());
        in.position(in.position() + sizes.compressed());
        CRC32 sum = new CRC32();
        sum.update(decoded.slice(start, sizes.size()));
        checkTrailer(encoded, sum, sizes.size());
        decoded.position(start + sizes.size());
    }

    private static void checkTrailer(EncodedInput encoded, CRC32 sum, long size) throws IOException {
        encoded.require(TRAILER);
        ByteBuffer in = encoded.buffer();
        if (in.getInt() != (int) sum.getValue() || in.getInt() != (int) size) {
            throw new CodecException("gzip: the checksum of " + size + " bytes is wrong");
        }
    }

    private static void skipHeader(EncodedInput encoded) throws IOException {
        encoded.require(HEADER);
        ByteBuffer in = encoded.buffer();
        if ((in.getShort() & 0xFFFF) != MAGIC || in.get() != DEFLATE) {
            throw new CodecException("gzip: the chunk does not start with the signature of gzip");
        }
        int flags = in.get();
        if ((flags & RESERVED) != 0) {
            throw new CodecException("gzip: flags " + (flags & 0xFF) + " are not supported");
        }
        encoded.skip(HEADER - 4);
        if ((flags & EXTRA) != 0) {
            encoded.require(Short.BYTES);
            encoded.skip(in.getShort() & 0xFFFF);
        }
        if ((flags & NAME) != 0) {
            skipText(encoded);
        }
        if ((flags & COMMENT) != 0) {
            skipText(encoded);
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            encoded.skip(Short.BYTES);
        }
    }

    private static void skipText(EncodedInput encoded) throws IOException {
        do {
            encoded.require(1);
        } while (encoded.buffer().get() != 0);
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
        do {
            skipHeader(encoded);
            CRC32 sum = new CRC32();
            long before = decoded.size();
            blocks.decompress(encoded, decoded, sum::update);
            checkTrailer(encoded, sum, decoded.size() - before);
        } while (!encoded.isAtEnd());
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        ByteBuffer out = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        out.putShort((short) MAGIC).put((byte) DEFLATE).put((byte) 0).putInt(0);
        out.put((byte) 0).put((byte) UNKNOWN_SYSTEM);
        CRC32 sum = new CRC32();
        sum.update(decoded.duplicate());
        int size = blocks.compress(decoded, decoded.position(), decoded.remaining(), out, out.position());
        out.position(out.position() + size);
        out.putInt((int) sum.getValue()).putInt(decoded.remaining());
        decoded.position(decoded.limit());
        encoded.position(encoded.position() + out.position());
    }

    @Override
    public void close() {
        blocks.close();
    }
}
