package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.hdf5.format.Signature;

/** The superblock of version 2, with which a file starts. */
final class Superblock {
    /** The size of the superblock, in bytes. */
    static final int SIZE = 48;

    private Superblock() {}

    /** {@return the superblock of a file of {@code end} bytes} */
    static byte[] of(long root, long end) {
        return new MessageBytes()
                .put(Signature.bytes())
                .u8(2)
                .u8(Long.BYTES)
                .u8(Long.BYTES)
                .u8(0)
                .u64(0)
                .u64(MessageBytes.UNDEFINED)
                .u64(end)
                .u64(root)
                .checksum()
                .toArray();
    }
}
