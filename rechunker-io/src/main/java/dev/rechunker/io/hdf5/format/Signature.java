package dev.rechunker.io.hdf5.format;

import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The signature of HDF5 files. It is at the start, or after a user block whose size is 512 bytes times a power of two.
 */
public final class Signature {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
    private static final int FIRST_USER_BLOCK = 512;

    private Signature() {}

    /** {@return the bytes of the signature} */
    public static byte[] bytes() {
        return SIGNATURE.clone();
    }

    /** {@return whether there is a regular file with the signature at a path} */
    public static boolean isIn(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path)) {
            String name = path.toString();
            return find(channel.size(), (at, bytes) -> Transfers.read(channel, name, at, bytes))
                    .isPresent();
        }
    }

    /** {@return the position of the signature in a file of {@code size} bytes; empty if there is none} */
    public static OptionalLong find(long size, BoxReader.Source bytes) throws IOException {
        for (long at = 0; at >= 0 && at <= size - SIGNATURE.length; at = at == 0 ? FIRST_USER_BLOCK : 2 * at) {
            ByteBuffer found = ByteBuffer.allocate(SIGNATURE.length);
            bytes.read(at, found);
            if (found.flip().equals(ByteBuffer.wrap(SIGNATURE))) {
                return OptionalLong.of(at);
            }
        }
        return OptionalLong.empty();
    }
}
