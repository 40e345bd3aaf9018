package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A checksum of four little-endian bytes, before or after the bytes.
 *
 * <p>It is not a {@link Codec}: it is removed by slicing and added in place, so that a chain needs no buffer for it.
 * {@code crc32c} is the codec of the Zarr v3 registry; {@code crc32}, {@code adler32} and {@code fletcher32} are codecs
 * of numcodecs. {@code fletcher32} is also filter 3 of HDF5.
 */
enum Checksum32 {
    CRC32C("crc32c", true),
    CRC32("crc32", false),
    ADLER32("adler32", false),
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
            case CRC32 -> sum = new CRC32();
            case ADLER32 -> sum = new Adler32();
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
