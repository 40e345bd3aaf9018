package dev.rechunker.io.cog;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Compresses with LZW.
 *
 * <p>Source: TIFF revision 6.0, section 13: codes of 9 to 12 bits, the highest bit first, which become longer one code
 * early.
 */
final class LzwEncoder {
    /** The memory of an encoder, in bytes. */
    static final int HELD = 3 * 4 * (1 << 14);

    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int FIRST = 258;
    private static final int LAST = 4094;
    private static final int SLOTS = 1 << 14;

    /** The codes by the code before them and the byte after it: an open hash table. */
    private final int[] keys = new int[SLOTS];

    private final int[] codes = new int[SLOTS];
    private int next;
    private int bits;
    private long pending;
    private int pendingBits;

    /** {@return the most bytes that some bytes are compressed to} */
    static long mostEncoded(long bytes) {
        return bytes * 3 / 2 + bytes / 1024 + 16;
    }

    /** Compresses the remaining bytes of a buffer. */
    void encode(ByteBuffer from, ByteBuffer to) {
        pending = 0;
        pendingBits = 0;
        clear();
        put(CLEAR, to);
        int code = -1;
        while (from.hasRemaining()) {
            int value = from.get() & 0xff;
            if (code < 0) {
                code = value;
                continue;
            }
            int key = code << 8 | value;
            int slot = slot(key);
            if (keys[slot] == key) {
                code = codes[slot];
                continue;
            }
            put(code, to);
            keys[slot] = key;
            codes[slot] = next++;
            code = value;
            if (next > LAST) {
                // The decoder has one entry less at this point; the code of the last byte follows the new table.
                put(CLEAR, to);
                clear();
            } else if (next == (1 << bits)) {
                bits++;
            }
        }
        if (code >= 0) {
            put(code, to);
            next++;
            if (next == (1 << bits) && bits < 12) {
                bits++;
            }
        }
        put(END, to);
        if (pendingBits > 0) {
            to.put((byte) (pending << (8 - pendingBits)));
        }
    }

    private void clear() {
        Arrays.fill(keys, -1);
        next = FIRST;
        bits = 9;
    }

    private int slot(int key) {
        int slot = (key * 0x9E3779B1) >>> 18;
        while (keys[slot] >= 0 && keys[slot] != key) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        return slot;
    }

    private void put(int code, ByteBuffer to) {
        pending = pending << bits | code;
        pendingBits += bits;
        while (pendingBits >= 8) {
            pendingBits -= 8;
            to.put((byte) (pending >>> pendingBits));
        }
        pending &= (1L << pendingBits) - 1;
    }
}
