package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/**
 * The codec {@code packbits} of numcodecs: the number of padding bits in a byte, then eight booleans per byte, the
 * first in the highest bit.
 */
final class PackBitsCodec implements Codec {
    private final boolean booleans;

    /**
     * Creates a codec. If elements are not {@code booleans}, it refuses bytes other than 0 and 1, because their values
     * would be lost.
     */
    PackBitsCodec(boolean booleans) {
        this.booleans = booleans;
    }

    @Override
    public String name() {
        return "packbits";
    }

    @Override
    public String identity() {
        return name();
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return 1 + (decodedSize + 7) / 8;
    }

    @Override
    public boolean fixedSize() {
        return true;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int count = decoded.remaining();
        int size = encoded.remaining();
        int padding = (int) (8 * (maxEncodedSize(count) - 1) - count);
        if (size != maxEncodedSize(count) || encoded.get(encoded.position()) != padding) {
            throw new CodecException(
                    "packbits: " + size + " bytes are stored, which is not the size of " + count + " packed booleans");
        }
        encoded.get();
        for (int i = 0; i < count; i += 8) {
            int bits = encoded.get();
            for (int bit = 7; bit >= Math.max(0, 8 - (count - i)); bit--) {
                decoded.put((byte) ((bits >> bit) & 1));
            }
        }
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        int count = decoded.remaining();
        encoded.put((byte) (8 * (maxEncodedSize(count) - 1) - count));
        for (int i = 0; i < count; i += 8) {
            int bits = 0;
            for (int bit = 7; bit >= Math.max(0, 8 - (count - i)); bit--) {
                byte value = decoded.get();
                if (!booleans && (value & ~1) != 0) {
                    throw new CodecException("packbits: bytes must be 0 or 1, but there is a byte "
                            + Byte.toUnsignedInt(value) + "; it is meant for elements of type bool");
                }
                bits |= (value != 0 ? 1 : 0) << bit;
            }
            encoded.put((byte) bits);
        }
    }
}
