package dev.rechunker.io.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads a file. Heap buffers are filled in pieces, since the JDK keeps a direct copy of the largest per thread. */
final class FileSource implements ByteSource {
    /** The most bytes of a heap buffer in one transfer. */
    static final int PIECE = 1 << 16;

    private final String name;
    private final FileChannel channel;
    private final long size;

    FileSource(String name, FileChannel channel, long size) {
        this.name = name;
        this.channel = channel;
        this.size = size;
    }

    /** Sets a buffer's limit to the end of the next piece to transfer. */
    static void limitPiece(ByteBuffer buffer, int end) {
        buffer.limit(buffer.isDirect() ? end : Math.min(end, buffer.position() + PIECE));
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
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

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
