package dev.rechunker.io.hdf5.read;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The contents of the files that make_small.py writes. */
final class SmallFiles {
    /** The bytes of every array of the group {@code arrays}. */
    static final byte[] ELEMENTS = elements();

    private SmallFiles() {}

    private static byte[] elements() {
        ByteBuffer bytes = ByteBuffer.allocate(286).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 143; i++) {
            bytes.putShort((short) (7 * i));
        }
        return bytes.array();
    }
}
