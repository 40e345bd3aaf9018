package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransfersTest {
    private static final int SIZE = 3 * Transfers.PIECE + 17;

    /** A file in memory that notes how much is asked of it at once, and does a part of it. */
    private static final class Channel extends FileChannel {
        private final byte[] content;
        private final int most;
        private final List<Integer> asked = new ArrayList<>();

        Channel(byte[] content, int most) {
            this.content = content;
            this.most = most;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            asked.add(target.remaining());
            int count = (int) Math.min(Math.min(target.remaining(), most), content.length - position);
            target.put(content, (int) position, Math.max(count, 0));
            return count > 0 ? count : -1;
        }

        @Override
        public int write(ByteBuffer source, long position) {
            asked.add(source.remaining());
            int count = Math.min(source.remaining(), most);
            source.get(content, (int) position, count);
            return count;
        }

        @Override
        public int read(ByteBuffer target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public FileChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metadata) {}

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void implCloseChannel() {}
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    /** For a heap buffer, the JDK allocates a direct one of the size of the transfer, which no limit would count. */
    @Test
    void heapBuffersAreTransferredInPieces() throws IOException {
        byte[] content = random(SIZE + 5);
        Channel channel = new Channel(content, Integer.MAX_VALUE);
        ByteBuffer target = ByteBuffer.allocate(SIZE + 2);
        target.position(1).limit(SIZE + 1);
        Transfers.read(channel, "file", 5, target);
        assertEquals(List.of(Transfers.PIECE, Transfers.PIECE, Transfers.PIECE, 17), channel.asked);
        assertEquals(SIZE + 1, target.position());
        assertEquals(SIZE + 1, target.limit());
        target.position(1);
        assertEquals(ByteBuffer.wrap(content, 5, SIZE), target);

        Channel copy = new Channel(new byte[SIZE + 5], Integer.MAX_VALUE);
        Transfers.write(copy, 5, target);
        assertEquals(List.of(Transfers.PIECE, Transfers.PIECE, Transfers.PIECE, 17), copy.asked);
        assertEquals(SIZE + 1, target.position());
        assertEquals(SIZE + 1, target.limit());
        System.arraycopy(content, 0, copy.content, 0, 5);
        assertArrayEquals(content, copy.content);
    }

    @Test
    void directBuffersAreTransferredWhole() throws IOException {
        Channel channel = new Channel(random(SIZE), Integer.MAX_VALUE);
        ByteBuffer target = ByteBuffer.allocateDirect(SIZE);
        Transfers.read(channel, "file", 0, target);
        Transfers.write(channel, 0, target.flip());
        assertEquals(List.of(SIZE, SIZE), channel.asked);
    }

    @Test
    void transfersGoOnAfterAPart() throws IOException {
        byte[] content = random(SIZE);
        ByteBuffer target = ByteBuffer.allocate(SIZE);
        Transfers.read(new Channel(content, 1000), "file", 0, target);
        assertArrayEquals(content, target.array());
        Channel copy = new Channel(new byte[SIZE], 1000);
        Transfers.write(copy, 0, target.flip());
        assertArrayEquals(content, copy.content);
    }

    @Test
    void aFileThatEndsTooEarlyIsNamed() {
        ByteBuffer target = ByteBuffer.allocate(100);
        EOFException e = assertThrows(
                EOFException.class,
                () -> Transfers.read(new Channel(random(60), Integer.MAX_VALUE), "file", 20, target));
        assertTrue(
                String.valueOf(e.getMessage()).contains("file ends at byte 60, but 60 more bytes are needed there"),
                e.getMessage());
        assertEquals(100, target.limit());
    }
}
