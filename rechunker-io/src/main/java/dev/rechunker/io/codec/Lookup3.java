package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bob Jenkins' hash lookup3 ({@code hashlittle}), which is the checksum of metadata in HDF5, and the codec
 * {@code jenkins_lookup3} of numcodecs.
 */
public final class Lookup3 {
    private static final int BLOCK = 12;

    private Lookup3() {}

    /** {@return the hash of the remaining bytes, with the initial value 0} */
    public static int of(ByteBuffer bytes) {
        ByteBuffer key = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        int length = key.limit();
        int a = 0xdeadbeef + length;
        int b = a;
        int c = a;
        int at = 0;
        for (; length - at > BLOCK; at += BLOCK) {
            a += key.getInt(at);
            b += key.getInt(at + 4);
            c += key.getInt(at + 8);
            a = (a - c) ^ Integer.rotateLeft(c, 4);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 6);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 8);
            b += a;
            a = (a - c) ^ Integer.rotateLeft(c, 16);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 19);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 4);
            b += a;
        }
        if (at == length) {
            return c;
        }
        ByteBuffer rest = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        rest.put(0, key, at, length - at);
        a += rest.getInt(0);
        b += rest.getInt(4);
        c += rest.getInt(8);
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        return (c ^ b) - Integer.rotateLeft(b, 24);
    }
}
