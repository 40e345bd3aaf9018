package dev.rechunker.io.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** The first bytes of a file, version 2: without them there is no HDF5 file. */
final class H5Superblock {
    /** Its bytes. */
    static final int SIZE = 48;

    private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
    private static final int FIRST_USER_BLOCK = 512;

    private H5Superblock() {}

    /** {@return the superblock of a file of {@code end} bytes} */
    static byte[] of(long root, long end) {
        return new H5Bytes()
                .put(SIGNATURE)
                .u8(2)
                .u8(Long.BYTES)
                .u8(Long.BYTES)
                .u8(0)
                .u64(0)
                .u64(H5Bytes.UNDEFINED)
                .u64(end)
                .u64(root)
                .checksum()
                .toArray();
    }

    /** {@return whether a file has a signature, at its start or behind a user block} */
    static boolean isIn(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            for (long at = 0; at < size; at = at == 0 ? FIRST_USER_BLOCK : at * 2) {
                ByteBuffer found = ByteBuffer.allocate(SIGNATURE.length);
                while (found.hasRemaining() && channel.read(found, at + found.position()) > 0) {}
                if (found.flip().equals(ByteBuffer.wrap(SIGNATURE))) {
                    return true;
                }
            }
        }
        return false;
    }
}
