package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the header of a chunk of Blosc 2 says in addition to that of Blosc 1. Chunks can be decoded if they have no
 * other filter than a shuffle, and no other compressor than those of Blosc 1.
 *
 * <p>Bits 0 and 2 of the flags are both set if 16 bytes follow the header of Blosc 1: the numbers of 6 filters, of a
 * compressor that is not built in, and its setting; settings of 6 filters, other flags, and flags of Blosc 2: bit 0: a
 * dictionary; bits 4 to 6: all elements have the same value.
 *
 * @param shuffle 0, {@link BloscFrame#SHUFFLED} or {@link BloscFrame#BIT_SHUFFLED}
 * @param value the kind of the value that all elements have; {@link #NO_VALUE} if they differ
 */
record Blosc2Header(int shuffle, int value) {
    /** The size of both headers, in bytes. */
    static final int SIZE = 32;

    static final int NO_VALUE = 0;
    /** All elements are zero, or were not initialized. */
    private static final int ZERO = 1;

    private static final int NAN = 2;
    /** All elements have the value after the header. */
    private static final int STATED = 3;

    private static final int UNSET = 4;

    private static final int EXTENDED = BloscFrame.SHUFFLED | BloscFrame.BIT_SHUFFLED;
    private static final int FILTERS = 6;
    private static final int FILTERS_AT = 16;
    private static final int SETTINGS_AT = 24;
    private static final int OTHER_FLAGS_AT = 30;
    private static final int FLAGS_AT = 31;

    private static final int SHUFFLE = 1;
    private static final int BIT_SHUFFLE = 2;
    /** This filter removes bits, and is not undone. */
    private static final int TRUNCATE = 4;

    /** {@return whether flags say that a header of Blosc 2 follows that of Blosc 1} */
    static boolean follows(int flags) {
        return (flags & EXTENDED) == EXTENDED;
    }

    /** Reads the header after that of Blosc 1, in a chunk at position 0. */
    static Blosc2Header read(ByteBuffer chunk, int flags, int typeSize) throws CodecException {
        int shuffle = 0;
        for (int i = 0; i < FILTERS; i++) {
            int filter = chunk.get(FILTERS_AT + i) & 255;
            int setting = chunk.get(SETTINGS_AT + i) & 255;
            if (filter == 0 || filter == TRUNCATE) {
                continue;
            }
            boolean known = filter == BIT_SHUFFLE || (filter == SHUFFLE && (setting == 0 || setting == typeSize));
            if (!known || shuffle != 0) {
                throw new CodecException("blosc: filter " + filter + name(filter) + " of Blosc 2"
                        + (shuffle != 0 ? " after a shuffle" : "")
                        + " is not supported; write the array again with shuffle or bitshuffle alone");
            }
            shuffle = filter == SHUFFLE ? BloscFrame.SHUFFLED : BloscFrame.BIT_SHUFFLED;
        }
        int own = chunk.get(FLAGS_AT) & 255;
        int value = (own >> 4) & 7;
        if ((own & 0x8f) != 0 || chunk.get(OTHER_FLAGS_AT) != 0 || value > UNSET) {
            throw new CodecException("blosc: a chunk of Blosc 2 with "
                    + ((own & 1) != 0 ? "a dictionary" : "the flags " + own + " and " + chunk.get(OTHER_FLAGS_AT))
                    + " is not supported");
        }
        if (value == NO_VALUE && (flags & BloscFrame.COPIED) == 0 && BloscFormat.ofFlags(flags) == null) {
            throw new CodecException("blosc: compressor " + (chunk.get(FILTERS_AT + FILTERS) & 255)
                    + " of Blosc 2 is not supported; supported are blosclz, lz4, lz4hc, zlib, zstd");
        }
        return new Blosc2Header(shuffle, value);
    }

    private static String name(int filter) {
        return switch (filter) {
            case 3 -> " (delta)";
            case 35 -> " (bytedelta)";
            default -> "";
        };
    }

    /** {@return the bytes that are repeated in all elements; null if they follow the header} */
    byte @Nullable [] repeated(int typeSize) throws CodecException {
        return switch (value) {
            case ZERO, UNSET -> new byte[1];
            case STATED -> null;
            case NAN -> nan(typeSize);
            default -> throw new IllegalStateException("elements differ");
        };
    }

    private static byte[] nan(int typeSize) throws CodecException {
        return switch (typeSize) {
            case Float.BYTES -> new byte[] {0, 0, (byte) 0xc0, 0x7f};
            case Double.BYTES -> new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xf8, 0x7f};
            default -> throw new CodecException("blosc: elements of " + typeSize + " bytes are not NaN");
        };
    }
}
