package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A checksum of four little-endian bytes, before or after the bytes. Of two with the same codec, the first is usual.
 *
 * <p>It is not a {@link Codec}: it is removed by slicing and added in place, so that a chain needs no buffer for it.
 * {@code crc32c} is the codec of the Zarr v3 registry; all are codecs of numcodecs. {@code fletcher32} is also filter 3
 * of HDF5.
 */
enum Checksum32 {
    CRC32C("crc32c", true),
    CRC32("crc32", false),
    CRC32_AT_END("crc32", true),
    ADLER32("adler32", false),
    ADLER32_AT_END("adler32", true),
    FLETCHER32("fletcher32", true),
    LOOKUP3("jenkins_lookup3", true);

    /** The size of a checksum in bytes. */
    static final int SIZE = 4;

    private final String codec;
    private final boolean isAfter;

    Checksum32(String codec, boolean isAfter) {
        this.codec = codec;
        this.isAfter = isAfter;
    }

    String codec() {
        return codec;
    }

    /** {@return a text that is different for each checksum} */
    String identity() {
        return this == CRC32_AT_END || this == ADLER32_AT_END ? codec + "(end)" : codec;
    }

    /**
     * {@return the checksum of this codec at the place that the option {@code location} of numcodecs names}
     *
     * @throws CodecException if the codec has no checksum there
     */
    Checksum32 at(CodecOptions options) throws CodecException {
        String location = options.text("location");
        if (location == null) {
            return this;
        }
        for (Checksum32 checksum : values()) {
            if (checksum.codec.equals(codec) && location.equals(checksum.isAfter ? "end" : "start")) {
                return checksum;
            }
        }
        throw options.refusal("location", location, "is not supported");
    }

    /** {@return the number of bytes before the payload} */
    int prefix() {
        return isAfter ? 0 : SIZE;
    }

    /**
     * Checks the checksum; {@return the payload, a slice of the remaining bytes}
     *
     * @throws CodecException if there are too few bytes, or the checksum is wrong
     */
    ByteBuffer check(ByteBuffer bytes) throws CodecException {
        int payload = bytes.remaining() - SIZE;
        if (payload < 0) {
            throw new CodecException(codec + ": " + bytes.remaining() + " bytes are too few for a checksum");
        }
        int from = bytes.position() + prefix();
        int stored =
                bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(isAfter ? from + payload : bytes.position());
        int computed = compute(bytes, from, payload);
        if (stored != computed && (this != FLETCHER32 || stored != Fletcher32.swapped(computed))) {
            throw new CodecException(codec + ": the checksum of " + payload + " bytes is "
                    + Integer.toHexString(computed) + ", but " + Integer.toHexString(stored) + " is stored");
        }
        return bytes.slice(from, payload);
    }

    /** Writes the checksum of {@code size} bytes at {@code from} before or after them. */
    void write(ByteBuffer buffer, int from, int size) {
        buffer.duplicate()
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(isAfter ? from + size : from - SIZE, compute(buffer, from, size));
    }

    private int compute(ByteBuffer buffer, int from, int size) {
        Checksum sum;
        switch (this) {
            case CRC32C -> sum = new CRC32C();
            case CRC32, CRC32_AT_END -> sum = new CRC32();
            case ADLER32, ADLER32_AT_END -> sum = new Adler32();
            case LOOKUP3 -> {
                return Lookup3.of(buffer.slice(from, size));
            }
            default -> {
                return Fletcher32.of(buffer.slice(from, size));
            }
        }
        sum.update(buffer.slice(from, size));
        return (int) sum.getValue();
    }
}
