package dev.rechunker.io.hdf5.write;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Computes the checksum of metadata in HDF5. */
final class Lookup3 {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BLOCK = 12;

    private Lookup3() {}

    /**
     * {@return the hash of the first {@code length} bytes by Bob Jenkins' lookup3 ({@code hashlittle}, initial value
     * 0)}
     */
    static int lookup3(byte[] key, int length) {
        int a = 0xdeadbeef + length;
        int b = a;
        int c = a;
        int at = 0;
        for (; length - at > BLOCK; at += BLOCK) {
            a += (int) INT.get(key, at);
            b += (int) INT.get(key, at + 4);
            c += (int) INT.get(key, at + 8);
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
        byte[] rest = Arrays.copyOf(Arrays.copyOfRange(key, at, length), BLOCK);
        a += (int) INT.get(rest, 0);
        b += (int) INT.get(rest, 4);
        c += (int) INT.get(rest, 8);
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        return (c ^ b) - Integer.rotateLeft(b, 24);
    }
}
