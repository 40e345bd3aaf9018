package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Four little-endian bytes of checksum before or behind the bytes they vouch for.
 *
 * <p>Not a {@link Codec}: it is taken off by slicing and put on in place, so it costs a chain no buffer. {@code crc32c}
 * is the codec of the Zarr v3 registry; {@code crc32}, {@code adler32} and {@code fletcher32} are those of numcodecs,
 * the last also the filter 3 of HDF5.
 */
enum Checksum32 {
    CRC32C("crc32c", true),
    CRC32("crc32", false),
    ADLER32("adler32", false),
    FLETCHER32("fletcher32", true),
    LOOKUP3("jenkins_lookup3", true);

    /** Bytes that a checksum adds. */
    static final int SIZE = 4;

    private final String codec;
    private final boolean behind;

    Checksum32(String codec, boolean behind) {
        this.codec = codec;
        this.behind = behind;
    }

    String codec() {
        return codec;
    }

    /** {@return the bytes to keep free before the payload} */
    int prefix() {
        return behind ? 0 : SIZE;
    }

    /**
     * {@return the payload within the remaining bytes}
     *
     * @throws CodecException if they are too few, or the checksum is another
     */
    ByteBuffer open(ByteBuffer sealed) throws CodecException {
        int payload = sealed.remaining() - SIZE;
        if (payload < 0) {
            throw new CodecException(codec + ": " + sealed.remaining() + " bytes cannot hold a checksum");
        }
        int from = sealed.position() + prefix();
        int stored =
                sealed.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(behind ? from + payload : sealed.position());
        int computed = compute(sealed, from, payload);
        if (stored != computed && (this != FLETCHER32 || stored != Fletcher32.swapped(computed))) {
            throw new CodecException(codec + ": the checksum of " + payload + " bytes is "
                    + Integer.toHexString(computed) + ", but " + Integer.toHexString(stored) + " is stored");
        }
        return sealed.slice(from, payload);
    }

    /** Puts the checksum of {@code size} bytes at {@code from} next to them. */
    void seal(ByteBuffer buffer, int from, int size) {
        buffer.duplicate()
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(behind ? from + size : from - SIZE, compute(buffer, from, size));
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
