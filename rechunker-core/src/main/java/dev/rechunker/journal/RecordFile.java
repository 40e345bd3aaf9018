package dev.rechunker.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * A file of records of one size that are appended, and lost only from the end. A record begins with its CRC-32C, that
 * of its other bytes. All numbers are big-endian. What follows a record that is torn or damaged is ignored, and written
 * over.
 */
public final class RecordFile implements Closeable {
    private final FileChannel channel;
    private final int size;
    private long end;

    /**
     * Opens a file for appending, and cuts off what follows.
     *
     * @param size the bytes of a record, its checksum included
     * @param end behind the last whole record
     */
    public RecordFile(Path file, int size, long end) throws IOException {
        this.channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        this.size = size;
        this.end = end;
        channel.truncate(end);
    }

    /**
     * Reads records up to one that is torn or damaged.
     *
     * @param in the file from its first record on
     * @param size the bytes of a record, its checksum included
     * @param record is given each without its checksum, and says whether it understands it
     * @return the bytes of all whole records
     */
    public static long replay(InputStream in, int size, Predicate<ByteBuffer> record) throws IOException {
        long end = 0;
        byte[] bytes = in.readNBytes(size);
        while (bytes.length == size) {
            ByteBuffer read = ByteBuffer.wrap(bytes);
            int stored = read.getInt();
            if (stored != checksum(bytes, Integer.BYTES, size) || !record.test(read.slice())) {
                break;
            }
            end += size;
            bytes = in.readNBytes(size);
        }
        return end;
    }

    /** Appends a record. */
    public synchronized void append(ByteBuffer withoutChecksum) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(size);
        record.putInt(0).put(withoutChecksum);
        record.putInt(0, checksum(record.array(), Integer.BYTES, size)).flip();
        long at = end;
        while (record.hasRemaining()) {
            at += channel.write(record, at);
        }
        end = at;
    }

    /** Has everything on the device that was appended. */
    public void force() throws IOException {
        channel.force(false);
    }

    static int checksum(byte[] bytes, int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
