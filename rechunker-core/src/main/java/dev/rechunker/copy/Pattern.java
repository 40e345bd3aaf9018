package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.util.Objects;

/** The bytes of one element, repeated to fill buffers quickly. */
final class Pattern {
    /** The least number of bytes in the repeated block. */
    private static final int BLOCK = 1024;

    private final byte[] block;

    /** Creates the pattern of an element of at least one byte. */
    Pattern(byte[] element) {
        int times = Math.max(1, BLOCK / element.length);
        block = new byte[Math.multiplyExact(times, element.length)];
        for (int at = 0; at < block.length; at += element.length) {
            System.arraycopy(element, 0, block, at, element.length);
        }
    }

    /** Fills {@code run} bytes from {@code at}; {@code run} is a multiple of the element's size. */
    void repeat(ByteBuffer target, int at, int run) {
        for (int done = 0; done < run; done += block.length) {
            target.put(at + done, block, 0, Math.min(block.length, run - done));
        }
    }

    /**
     * {@return whether {@code length} bytes from {@code from} consist of repetitions of {@code element}}
     *
     * <p>They do if they begin with the element and each byte equals the one an element before it.
     */
    static boolean isRepeated(ByteBuffer data, int from, int length, byte[] element) {
        Objects.checkFromIndexSize(from, length, data.limit());
        if (length == 0) {
            return true;
        }
        int period = element.length;
        for (int i = 0; i < period; i++) {
            if (data.get(from + i) != element[i]) {
                return false;
            }
        }
        int rest = length - period;
        return data.slice(from + period, rest).mismatch(data.slice(from, rest)) < 0;
    }
}
