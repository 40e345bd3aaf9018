package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.codec.Lookup3;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing buffer of little-endian metadata. */
final class MessageBytes {
    /** The address of an object that does not exist. */
    static final long UNDEFINED = -1;

    private ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer reserve(int more) {
        if (bytes.remaining() < more) {
            int size = Math.max(Math.addExact(bytes.position(), more), Math.min(bytes.capacity(), 1 << 29) * 2);
            bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
        }
        return bytes;
    }

    /** Puts one byte. */
    MessageBytes u8(int value) {
        reserve(1).put((byte) value);
        return this;
    }

    /** Puts two bytes. */
    MessageBytes u16(int value) {
        reserve(2).putShort((short) value);
        return this;
    }

    /** Puts four bytes. */
    MessageBytes u32(long value) {
        reserve(4).putInt((int) value);
        return this;
    }

    /** Puts eight bytes: a length, or an address. */
    MessageBytes u64(long value) {
        reserve(8).putLong(value);
        return this;
    }

    /** Puts bytes. */
    MessageBytes put(byte... more) {
        reserve(more.length).put(more);
        return this;
    }

    /** Puts the bytes of another buffer. */
    MessageBytes put(MessageBytes other) {
        return put(other.toArray());
    }

    /** Puts zeros. */
    MessageBytes zeros(int count) {
        return put(new byte[count]);
    }

    /** {@return the number of bytes} */
    int size() {
        return bytes.position();
    }

    /** {@return a copy of the bytes} */
    byte[] toArray() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** Puts the checksum of all bytes so far, which is the end of metadata of version 2. */
    MessageBytes checksum() {
        return u32(Lookup3.of(bytes.duplicate().flip()));
    }
}
