package dev.rechunker.io.bytes;

import java.io.EOFException;
import java.nio.ByteBuffer;

/**
 * Stored bytes in memory.
 *
 * @param name what they are, in messages
 * @param bytes the bytes from position to limit, which do not change
 */
public record MemorySource(String name, ByteBuffer bytes) implements ByteSource {
    @Override
    public long size() {
        return bytes.remaining();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws EOFException {
        if (offset < 0 || target.remaining() > size() - offset) {
            throw new EOFException(
                    name + " has " + size() + " bytes, but " + target.remaining() + " are needed from byte " + offset);
        }
        target.put(bytes.slice(bytes.position() + (int) offset, target.remaining()));
    }

    @Override
    public void close() {}
}
