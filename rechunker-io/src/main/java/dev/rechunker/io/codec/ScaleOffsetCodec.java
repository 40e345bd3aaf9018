package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The filter 6 of HDF5, scale-offset, which stores the difference of numbers and their minimum, in as few bits as the
 * largest difference takes. Before that, floats are multiplied by a power of ten and rounded.
 *
 * <p>A chunk has the number of bits per number in four little-endian bytes, the size of the minimum in one byte, the
 * minimum in eight bytes, eight unused bytes, and the numbers without gaps, most significant bit first. Numbers of the
 * full width are little-endian instead. A number with all bits set is the fill value, if there is one. If the
 * parameters ask for all bits of integers, a chunk is not changed. Source: {@code H5Zscaleoffset.c}.
 */
final class ScaleOffsetCodec implements DecodeOnlyCodec {
    private static final int HEADER = 21;
    private static final int PARAMETERS = 20;
    private static final int FILL = 8;

    private final long[] parameters;
    private final int count;
    private final int size;
    private final boolean isFloat;
    private final ByteOrder order;
    private final boolean filled;
    private final long fill;

    private ScaleOffsetCodec(long[] parameters) {
        this.parameters = parameters;
        this.count = (int) parameters[2];
        this.isFloat = parameters[3] == 1;
        this.size = (int) parameters[4];
        this.order = parameters[6] == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        this.filled = parameters[7] == 1;
        long words = (parameters[FILL] & 0xFFFFFFFFL) | (size == Long.BYTES ? parameters[FILL + 1] << 32 : 0);
        this.fill = size == Long.BYTES ? words : words & ((1L << (8 * size)) - 1);
    }

    /** {@return the codec for the filter of HDF5; its client data is the option of the codec} */
    static Hdf5Filter.Decoding ofHdf5(int[] data) {
        List<Long> parameters = Arrays.stream(data).mapToObj(Long::valueOf).toList();
        return Hdf5Filter.Decoding.own("scaleoffset", codec -> codec.with("parameters", parameters));
    }

    /**
     * {@return the codec} Its only option, {@code parameters}, is the client data of the filter: kind of scaling, scale
     * factor, number of elements, class (0 integer, 1 float), size, sign, byte order (0 little, 1 big), whether there
     * is a fill value, and the fill value in words of four bytes.
     *
     * @param bytes the size of a decoded chunk in bytes
     */
    static ScaleOffsetCodec create(CodecOptions options, long bytes) throws CodecException {
        List<?> given = options.list("parameters");
        options.requireNoOthers();
        if (given == null || given.size() != PARAMETERS || !given.stream().allMatch(Number.class::isInstance)) {
            throw new CodecException("codec \"scaleoffset\" needs " + PARAMETERS + " parameters");
        }
        long[] parameters =
                given.stream().mapToLong(p -> ((Number) p).intValue()).toArray();
        long size = parameters[4];
        boolean isFloat = parameters[3] == 1;
        boolean known = isFloat
                ? parameters[0] == 0 && (size == 4 || size == 8)
                : parameters[3] == 0 && parameters[0] == 2 && (size == 1 || size == 2 || size == 4 || size == 8);
        if (!known || parameters[6] < 0 || parameters[6] > 1) {
            throw new CodecException("codec \"scaleoffset\": parameters " + given + " are not supported");
        }
        if (parameters[2] < 0 || parameters[2] * size != bytes) {
            throw new CodecException("codec \"scaleoffset\" has parameters for " + parameters[2] + " numbers of " + size
                    + " bytes, but a chunk has " + bytes + " bytes");
        }
        return new ScaleOffsetCodec(parameters);
    }

    @Override
    public String name() {
        return "scaleoffset";
    }

    @Override
    public String identity() {
        StringBuilder text = new StringBuilder("hdf5.scaleoffset(");
        for (long parameter : parameters) {
            text.append(parameter).append(',');
        }
        return text.append(')').toString();
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return HEADER + decodedSize + 1;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        if (!isFloat && parameters[1] == 8L * size) {
            copy(encoded, decoded);
            return;
        }
        ByteBuffer in = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = decoded.slice().order(order);
        if (in.limit() < HEADER) {
            throw new CodecException("scaleoffset: a chunk of " + in.limit() + " bytes is cut off");
        }
        int bits = in.getInt(0);
        int minimumSize = in.get(4);
        if (bits < 0 || bits > 8 * size || minimumSize < 0 || minimumSize > Long.BYTES) {
            throw new CodecException("scaleoffset: the chunk has a header for " + bits
                    + " bits per number and a minimum of " + minimumSize + " bytes, which is not valid");
        }
        if (in.limit() - HEADER < ((long) count * bits + 7) / 8 || out.limit() < count * size) {
            throw new CodecException("scaleoffset: " + count + " numbers of " + bits + " bits do not fit into "
                    + (in.limit() - HEADER) + " bytes");
        }
        long minimum = in.getLong(5);
        if (minimumSize < Long.BYTES) {
            minimum &= (1L << (8 * minimumSize)) - 1;
        }
        decodeNumbers(in, bits, minimum, out);
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + count * size);
    }

    private void copy(ByteBuffer encoded, ByteBuffer decoded) throws CodecException {
        int bytes = count * size;
        if (encoded.remaining() != bytes || decoded.remaining() < bytes) {
            throw new CodecException("scaleoffset: " + encoded.remaining()
                    + " bytes are stored, which is not the size of " + count + " numbers");
        }
        decoded.put(encoded);
    }

    private void decodeNumbers(ByteBuffer in, int bits, long minimum, ByteBuffer out) throws CodecException {
        boolean verbatim = bits == 8 * size;
        long missing = (1L << bits) - 1;
        double scale = Math.pow(10, (double) parameters[1]);
        BitInput numbers = new BitInput("scaleoffset", in.position(HEADER));
        for (int i = 0; i < count; i++) {
            long value;
            if (verbatim) {
                value = little(in, HEADER + i * size);
            } else {
                long number = numbers.bits(bits);
                value = filled && number == missing
                        ? fill
                        : isFloat ? scaled(number, scale, minimum) : number + minimum;
            }
            put(out, i * size, value);
        }
    }

    /** {@return the bits of a float, which is computed in its own precision} */
    private long scaled(long number, double scale, long minimum) {
        if (size == Float.BYTES) {
            return Float.floatToRawIntBits((float) number / (float) scale + Float.intBitsToFloat((int) minimum));
        }
        return Double.doubleToRawLongBits((double) number / scale + Double.longBitsToDouble(minimum));
    }

    private long little(ByteBuffer in, int at) {
        return switch (size) {
            case 1 -> in.get(at);
            case 2 -> in.getShort(at);
            case 4 -> in.getInt(at);
            default -> in.getLong(at);
        };
    }

    private void put(ByteBuffer out, int at, long value) {
        switch (size) {
            case 1 -> out.put(at, (byte) value);
            case 2 -> out.putShort(at, (short) value);
            case 4 -> out.putInt(at, (int) value);
            default -> out.putLong(at, value);
        }
    }
}
