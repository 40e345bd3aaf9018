package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The filter 4 of HDF5, szip, which stores differences of neighbours with the code that suits each block.
 *
 * <p>A chunk has its decoded size in four little-endian bytes, and the blocks of one scan line after the other. A scan
 * line is padded to whole blocks. Numbers of 32 and 64 bits are stored as bytes: the first bytes of all numbers, then
 * the second ones, and so on. Source: {@code H5Zszip.c}, {@code sz_compat.c} of libaec.
 */
final class SzipCodec implements DecodeOnlyCodec {
    private static final int PARAMETERS = 4;
    private static final int BIG_ENDIAN = 16;
    private static final int PREDICTED = 32;
    private static final int WITHOUT_HEADER = 128;
    private static final int KNOWN = 1 | 4 | 8 | BIG_ENDIAN | PREDICTED | WITHOUT_HEADER;
    private static final int LARGEST_BLOCK = 32;
    private static final int MOST_BLOCKS = 128;

    private final long[] parameters;
    private final ByteOrder order;
    private final boolean predicted;
    private final int blockSize;
    private final int width;
    private final int line;
    private final int blocks;
    private final int interleaved;

    private SzipCodec(long[] parameters) {
        this.parameters = parameters;
        this.order = (parameters[0] & BIG_ENDIAN) != 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        this.predicted = (parameters[0] & PREDICTED) != 0;
        this.blockSize = (int) parameters[1];
        int bits = (int) parameters[2];
        this.interleaved = bits > 24 ? bits / Byte.SIZE : 1;
        this.width = bits > 24 ? Byte.SIZE : bits;
        this.line = (int) parameters[3];
        this.blocks = (line + blockSize - 1) / blockSize;
    }

    /** {@return the codec for the filter of HDF5; its client data is the option of the codec} */
    static Hdf5Filter.Decoding ofHdf5(int[] data) {
        List<Long> parameters = Arrays.stream(data).mapToObj(Long::valueOf).toList();
        return Hdf5Filter.Decoding.own("szip", codec -> codec.with("parameters", parameters));
    }

    /**
     * {@return the codec} Its only option, {@code parameters}, is the client data of the filter: options (1 codes for
     * 13 bits, 4 samples as they are, 8 little-endian, 16 big-endian, 32 differences, 128 without a header), samples
     * per block, bits per sample, samples per scan line.
     */
    static SzipCodec create(CodecOptions options) throws CodecException {
        List<?> given = options.list("parameters");
        options.requireNoOthers();
        if (given == null || given.size() != PARAMETERS || !given.stream().allMatch(Number.class::isInstance)) {
            throw new CodecException("codec \"szip\" needs " + PARAMETERS + " parameters");
        }
        long[] parameters =
                given.stream().mapToLong(p -> ((Number) p).longValue()).toArray();
        long block = parameters[1];
        long bits = parameters[2];
        boolean known = (parameters[0] & ~KNOWN) == 0
                && (parameters[0] & WITHOUT_HEADER) != 0
                && block >= 2
                && block <= LARGEST_BLOCK
                && block % 2 == 0
                && ((bits >= 1 && bits <= 24) || bits == 32 || bits == 64)
                && parameters[3] >= 1
                && parameters[3] <= MOST_BLOCKS * block;
        if (!known) {
            throw new CodecException("codec \"szip\": parameters " + given + " are not supported");
        }
        return new SzipCodec(parameters);
    }

    @Override
    public String name() {
        return "szip";
    }

    @Override
    public String identity() {
        return "hdf5.szip" + Arrays.toString(parameters);
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return Integer.BYTES + decodedSize;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int stored = encoded.remaining();
        if (stored < Integer.BYTES) {
            throw new CodecException("szip: a chunk of " + stored + " bytes is cut off");
        }
        ByteBuffer in = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        long size = in.getInt() & 0xFFFFFFFFL;
        int sampleSize = width > 16 ? Integer.BYTES : width > 8 ? Short.BYTES : 1;
        if (size > decoded.remaining()) {
            throw new CodecException("szip: a chunk of " + decoded.remaining() + " bytes is stored as one of " + size);
        }
        if (size % ((long) sampleSize * interleaved) != 0) {
            throw new CodecException(
                    "szip: a chunk of " + size + " bytes does not consist of samples of " + parameters[2] + " bits");
        }
        int bytes = (int) size;
        ByteBuffer out = decoded.slice().limit(bytes).order(order);
        RiceDecoder samples = new RiceDecoder(new BitInput("szip", in), width, blocks, predicted);
        if (interleaved > 1) {
            decodeBytes(samples, out);
        } else {
            decodeSamples(samples, sampleSize, out);
        }
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + bytes);
    }

    private void decodeSamples(RiceDecoder samples, int size, ByteBuffer out) throws CodecException {
        int[] block = new int[blockSize];
        int column = 0;
        while (out.hasRemaining()) {
            samples.next(block);
            int count = Math.min(Math.min(blockSize, line - column), out.remaining() / size);
            for (int i = 0; i < count; i++) {
                switch (size) {
                    case 1 -> out.put((byte) block[i]);
                    case 2 -> out.putShort((short) block[i]);
                    default -> out.putInt(block[i]);
                }
            }
            column = column + blockSize >= line ? 0 : column + blockSize;
        }
    }

    /** Decodes bytes of numbers, of which the first ones of all numbers come first. */
    private void decodeBytes(RiceDecoder samples, ByteBuffer out) throws CodecException {
        int[] block = new int[blockSize];
        int column = 0;
        int end = out.limit();
        int first = 0;
        int at = 0;
        while (first < interleaved && end > 0) {
            samples.next(block);
            int count = Math.min(blockSize, line - column);
            for (int i = 0; i < count && first < interleaved; i++) {
                out.put(at, (byte) block[i]);
                at += interleaved;
                if (at >= end) {
                    at = ++first;
                }
            }
            column = column + blockSize >= line ? 0 : column + blockSize;
        }
    }
}
