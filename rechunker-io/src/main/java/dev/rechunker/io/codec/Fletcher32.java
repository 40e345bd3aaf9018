package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Fletcher's checksum of big-endian 16-bit words, as computed by HDF5 and numcodecs: two sums modulo 65535. A sum is
 * zero only if all bytes are zero; otherwise 65535 replaces zero. An odd last byte is the upper half of a word.
 */
final class Fletcher32 {
    private static final int MODULUS = 65535;

    /** The number of words that can be added without exceeding a {@code long}. */
    private static final int BLOCK = 1 << 16;

    private Fletcher32() {}

    /** {@return the checksum of the remaining bytes} */
    static int of(ByteBuffer bytes) {
        ByteBuffer words = bytes.slice().order(ByteOrder.BIG_ENDIAN);
        int even = words.limit() & ~1;
        long first = 0;
        long second = 0;
        for (int at = 0; at < even; ) {
            int end = Math.min(even, at + 2 * BLOCK);
            for (; at < end; at += 2) {
                first += words.getShort(at) & 0xFFFF;
                second += first;
            }
            first = fold(first);
            second = fold(second);
        }
        if (even < words.limit()) {
            first = fold(first + ((words.get(even) & 0xFF) << 8));
            second = fold(second + first);
        }
        return (int) (second << 16 | first);
    }

    /** {@return the checksum with swapped bytes in both sums, as written by HDF5 before 1.6.3} */
    static int swapped(int checksum) {
        return Integer.reverseBytes(checksum) << 16 | Integer.reverseBytes(checksum) >>> 16;
    }

    private static long fold(long sum) {
        long rest = sum % MODULUS;
        return rest == 0 && sum != 0 ? MODULUS : rest;
    }
}
