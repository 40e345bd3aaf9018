package dev.rechunker.io.hdf5.format;

import dev.rechunker.store.EncodedUnit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An encoded chunk in a file.
 *
 * @param file reads bytes of the file
 * @param position the position of the chunk in the file
 * @param size the stored size of the chunk in bytes
 */
public record StoredChunk(Bytes file, long position, long size) implements EncodedUnit {
    /** The bytes of a file. */
    public interface Bytes {
        /** Reads bytes from a position, until the buffer is full. */
        void read(long position, ByteBuffer target) throws IOException;
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (offset + target.remaining() > size) {
            throw new EOFException("cannot read bytes " + offset + " to " + (offset + target.remaining())
                    + " of an encoded chunk of " + size + " bytes");
        }
        file.read(position + offset, target);
    }

    @Override
    public void close() {}
}
