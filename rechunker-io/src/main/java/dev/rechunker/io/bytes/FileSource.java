package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file that is open for reading. */
final class FileSource implements ByteSource {
    private final String name;
    private final FileChannel channel;
    private final long size;
    private final @Nullable BasicFileAttributes attributes;

    /** Creates a source of a file that no other file replaces. */
    FileSource(String name, FileChannel channel, long size) {
        this(name, channel, size, null);
    }

    /**
     * Creates a source of a file that may be replaced, also between the call that returned its attributes and its
     * opening.
     *
     * @param attributes the attributes of the file before it was opened
     */
    FileSource(String name, FileChannel channel, BasicFileAttributes attributes) throws IOException {
        this(name, channel, channel.size(), attributes);
    }

    private FileSource(String name, FileChannel channel, long size, @Nullable BasicFileAttributes attributes) {
        this.name = name;
        this.channel = channel;
        this.size = size;
        this.attributes = attributes;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public Optional<String> tag() {
        return Optional.ofNullable(attributes)
                .map(file -> file.fileKey() + " " + file.lastModifiedTime() + " " + file.size());
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
