package dev.rechunker.io.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Transfers all bytes of a buffer from or to a file. Heap buffers are transferred in pieces, because the JDK keeps a
 * direct buffer of the size of the largest transfer for each thread.
 */
public final class Transfers {
    /** The maximum number of bytes of a heap buffer in one transfer. */
    public static final int PIECE = 1 << 16;

    private Transfers() {}

    /** Sets a buffer's limit to the end of the next piece to transfer. */
    public static void limitPiece(ByteBuffer buffer, int end) {
        buffer.limit(buffer.isDirect() ? end : Math.min(end, buffer.position() + PIECE));
    }

    /**
     * Reads from a position in a file until the buffer is full.
     *
     * @param name the name of the file in messages
     * @throws EOFException if the file ends before the buffer is full
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
                            + " more bytes are needed there");
                }
                position += count;
            }
        } finally {
            target.limit(end);
        }
    }

    /** Writes the remaining bytes of a buffer at a position in a file. */
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
