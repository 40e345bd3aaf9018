package dev.rechunker.io.hdf5.format;

import dev.rechunker.store.EncodedUnit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A chunk of a file as it is stored.
 *
 * @param file how bytes of the file are read
 * @param place of its first byte
 */
public record StoredChunk(Bytes file, long place, long size) implements EncodedUnit {
    /** A file. */
    public interface Bytes {
        /** Reads from a place on until the buffer is full. */
        void read(long place, ByteBuffer target) throws IOException;
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (offset + target.remaining() > size) {
            throw new EOFException("bytes " + offset + " to " + (offset + target.remaining())
                    + " of an encoded chunk of " + size + " bytes");
        }
        file.read(place + offset, target);
    }

    @Override
    public void close() {}
}
