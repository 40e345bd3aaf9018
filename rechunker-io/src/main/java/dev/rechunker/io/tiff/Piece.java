package dev.rechunker.io.tiff;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.file.FileBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes that follow one another in a file.
 *
 * @param start the position of the first of them
 * @param bytesRead counts the bytes that are read
 */
record Piece(FileBytes file, long start, LongAdder bytesRead) implements TiffReader.Opener {
    @Override
    public ByteSource open(long offset, long length) throws IOException {
        return new Source(file.open(start + offset, length), start, bytesRead);
    }

    private record Source(ByteSource file, long start, LongAdder bytesRead) implements ByteSource {
        @Override
        public long size() {
            return file.size() - start;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            bytesRead.add(target.remaining());
            file.read(start + offset, target);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
