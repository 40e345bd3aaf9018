package dev.rechunker.io.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Moves bytes between a file and a buffer, all of them. Heap buffers go in pieces, since the JDK keeps a direct copy of
 * the largest per thread.
 */
public final class Transfers {
    /** The most bytes of a heap buffer in one transfer. */
    public static final int PIECE = 1 << 16;

    private Transfers() {}

    /** Sets a buffer's limit to the end of the next piece to transfer. */
    public static void limitPiece(ByteBuffer buffer, int end) {
        buffer.limit(buffer.isDirect() ? end : Math.min(end, buffer.position() + PIECE));
    }

    /**
     * Reads from a place in a file until the buffer is full.
     *
     * @param name names the file in messages
     * @throws EOFException if the file ends before
     */
    public static void read(FileChannel channel, String name, long offset, ByteBuffer target) throws IOException {
        int end = target.limit();
        long position = offset;
        try {
            while (target.position() < end) {
                limitPiece(target, end);
                int count = channel.read(target, position);
                if (count < 0) {
                    throw new EOFException(name + " ends at byte " + position + ", but " + (end - target.position())
                            + " more are needed there");
                }
                position += count;
            }
        } finally {
            target.limit(end);
        }
    }

    /** Writes the remaining bytes of a buffer to a place in a file. */
    public static void write(FileChannel channel, long offset, ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        long position = offset;
        try {
            while (bytes.position() < end) {
                limitPiece(bytes, end);
                position += channel.write(bytes, position);
            }
        } finally {
            bytes.limit(end);
        }
    }
}
