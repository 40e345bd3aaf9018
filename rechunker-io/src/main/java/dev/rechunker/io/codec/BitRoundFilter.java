package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * The codec {@code bitround} of numcodecs, which rounds floats to a number of bits of the fraction, ties to even.
 * Decoding does not change anything.
 */
final class BitRoundFilter extends NumberFilter {
    private final int keep;

    private BitRoundFilter(int keep, NumberType type) {
        super("bitround", type, type);
        this.keep = keep;
    }

    /** {@return a filter for floats of {@code type}} */
    static BitRoundFilter create(CodecOptions options, NumberType type) throws CodecException {
        if (!type.isFloat()) {
            throw new CodecException("codec \"bitround\": type " + type + " is not a float");
        }
        int keep = options.integer("keepbits", -1, 0, fraction(type));
        options.requireNoOthers();
        if (keep < 0) {
            throw new CodecException("codec \"bitround\" needs the option keepbits");
        }
        return new BitRoundFilter(keep, type);
    }

    private static int fraction(NumberType type) {
        return switch (type.size()) {
            case 2 -> 10;
            case 4 -> 23;
            default -> 52;
        };
    }

    /** {@return whether the filter keeps all bits} */
    boolean changesNothing() {
        return keep == fraction(encodedType);
    }

    @Override
    String settings() {
        return keep + ",";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        decoded.put(0, encoded, 0, count * encodedType.size());
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        int drop = fraction(encodedType) - keep;
        long half = (1L << (drop - 1)) - 1;
        for (int at = 0; at < count * encodedType.size(); at += encodedType.size()) {
            long bits = encodedType.getLong(decoded, at);
            long rounded = bits + ((bits >> drop) & 1) + half;
            encodedType.putLong(encoded, at, rounded >> drop << drop);
        }
    }
}
