package dev.rechunker.io.tiff;

import dev.rechunker.io.tiff.Decoders.Decoder;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;

/**
 * PackBits. After a byte {@code n} of 0 or more, {@code n + 1} literals follow; after a negative one, a byte that is
 * repeated {@code 1 - n} times; -128 means nothing.
 *
 * <p>Source: TIFF revision 6.0, section 9.
 */
record PackBitsDecoder(long bytes) implements Decoder {
    private static final int NOTHING = -128;

    /** Rows are compressed one by one, so that each may need some bytes more. */
    @Override
    public long mostEncoded() {
        return 2 * bytes + 1024;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws StoreException {
        while (decoded.hasRemaining() && encoded.hasRemaining()) {
            int control = encoded.get();
            int count = control >= 0 ? control + 1 : control == NOTHING ? 0 : 1 - control;
            int taken = control >= 0 ? count : Math.min(count, 1);
            if (count > decoded.remaining() || taken > encoded.remaining()) {
                throw new StoreException("PackBits: a run of " + count + " bytes does not fit");
            }
            if (control >= 0) {
                decoded.put(encoded.slice(encoded.position(), count));
                encoded.position(encoded.position() + count);
            } else if (count > 0) {
                byte value = encoded.get();
                for (int i = 0; i < count; i++) {
                    decoded.put(value);
                }
            }
        }
        if (decoded.hasRemaining()) {
            throw new StoreException("PackBits: the chunk is cut off: " + decoded.remaining() + " bytes are missing");
        }
    }
}
