package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file that is open for reading. */
final class FileSource implements ByteSource {
    private final String name;
    private final FileChannel channel;
    private final long size;

    FileSource(String name, FileChannel channel, long size) {
        this.name = name;
        this.channel = channel;
        this.size = size;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        Transfers.read(channel, name, offset, target);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
