package dev.rechunker.io.file;

import dev.rechunker.io.bytes.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A source that reads each time from a file, for files that need not be opened for that.
 *
 * @param file overrides {@link FileBytes#read}, which would open a source by default
 */
public record DirectSource(FileBytes file) implements ByteSource {
    @Override
    public long size() {
        return file.size();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        file.read(offset, target);
    }

    @Override
    public void close() {}
}
