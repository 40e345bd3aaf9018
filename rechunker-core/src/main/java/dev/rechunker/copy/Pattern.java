package dev.rechunker.copy;

import java.nio.ByteBuffer;
import java.util.Objects;

/** The bytes of one element, to be repeated. */
final class Pattern {
    /** Bytes written from the heap before a run is doubled in place. */
    private static final int BLOCK = 1024;

    private final byte[] block;

    /** Repeats a non-empty element to a block. */
    Pattern(byte[] element) {
        int times = Math.max(1, BLOCK / element.length);
        block = new byte[Math.multiplyExact(times, element.length)];
        for (int at = 0; at < block.length; at += element.length) {
            System.arraycopy(element, 0, block, at, element.length);
        }
    }

    /** Fills {@code run} bytes, a multiple of the element's. */
    void repeat(ByteBuffer target, int at, int run) {
        for (int done = 0; done < run; done += block.length) {
            target.put(at + done, block, 0, Math.min(block.length, run - done));
        }
    }

    /** {@return whether bytes are an element's over and over}: the first is the element, the rest its predecessor. */
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
