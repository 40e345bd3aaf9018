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
 * A file of records of equal size, to which records are only appended.
 *
 * <p>A record starts with the CRC-32C of its other bytes. Numbers are big-endian. A record that is incomplete or
 * damaged is ignored together with everything after it, and is overwritten by the next record.
 */
public final class RecordFile implements Closeable {
    private final FileChannel channel;
    private final int size;
    private long end;

    /**
     * Opens or creates a file for appending, and truncates it at {@code end}. Links are not followed.
     *
     * @param size the size of a record in bytes, including the checksum
     * @param end the offset of the end of the last valid record
     */
    public RecordFile(Path file, int size, long end) throws IOException {
        this.channel = PrivateFiles.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        this.size = size;
        this.end = end;
        channel.truncate(end);
    }

    /**
     * Reads all records before the first one that is incomplete or damaged.
     *
     * @param in the file, from its first record on
     * @param size the size of a record in bytes, including the checksum
     * @param record receives each record without its checksum; returns false to stop at a record it does not understand
     * @return the size of all records that were accepted, in bytes
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

    /** Appends a record, for which the checksum is computed. */
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

    /** Forces all appended records to the device. */
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
