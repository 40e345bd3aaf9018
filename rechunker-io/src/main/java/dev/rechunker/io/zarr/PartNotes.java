package dev.rechunker.io.zarr;

import dev.rechunker.journal.RecordFile;
import dev.rechunker.journal.RunDirectory;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file with the positions of parts of unfinished write units, so that another process can resume them. A record of
 * the {@link RecordFile} consists of the number of the part and its stored size (ints), and of the number of its unit
 * and its position in it (longs). In the record of a complete unit, the part is {@value #COMPLETE}.
 */
final class PartNotes implements Closeable {
    private static final int RECORD = 3 * Integer.BYTES + 2 * Long.BYTES;
    private static final int COMPLETE = -1;

    private final @Nullable Path file;
    private final @Nullable RecordFile records;

    /** Receives the notes of an earlier process. */
    interface Earlier {
        /** A part was written, or left out. */
        void part(long unit, int part, long position, int size);

        /** A unit is complete. */
        void complete(long unit);
    }

    private PartNotes(@Nullable Path file, @Nullable RecordFile records) {
        this.file = file;
        this.records = records;
    }

    /** {@return notes that are not stored} */
    static PartNotes none() {
        return new PartNotes(null, null);
    }

    /** {@return empty notes} */
    static PartNotes create(Path file) throws IOException {
        Files.deleteIfExists(file);
        return new PartNotes(file, new RecordFile(file, RECORD, 0));
    }

    /** {@return existing notes, which can be appended to, after they were passed to a receiver} */
    static PartNotes resume(Path file, Earlier earlier) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            long end = RecordFile.replay(in, RECORD, record -> {
                int part = record.getInt();
                int size = record.getInt();
                long unit = record.getLong();
                if (part == COMPLETE) {
                    earlier.complete(unit);
                } else {
                    earlier.part(unit, part, record.getLong(), size);
                }
                return true;
            });
            return new PartNotes(file, new RecordFile(file, RECORD, end));
        }
    }

    /** Records that a part was written, or left out. */
    void recordPart(long unit, int part, long position, int size) throws IOException {
        append(unit, part, position, size);
    }

    /** Records that a unit is complete. */
    void recordComplete(long unit) throws IOException {
        append(unit, COMPLETE, 0, 0);
    }

    private void append(long unit, int part, long position, int size) throws IOException {
        if (records != null) {
            records.append(ByteBuffer.allocate(RECORD)
                    .putInt(part)
                    .putInt(size)
                    .putLong(unit)
                    .putLong(position)
                    .flip());
        }
    }

    /** Makes the notes durable. */
    void force() throws IOException {
        if (records != null && file != null) {
            records.force();
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                RunDirectory.forceNames(directory);
            }
        }
    }

    /** Deletes the notes. */
    void delete() throws IOException {
        close();
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void close() throws IOException {
        if (records != null) {
            records.close();
        }
    }
}
