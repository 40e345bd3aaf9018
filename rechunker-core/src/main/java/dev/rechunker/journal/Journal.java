package dev.rechunker.journal;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that describes a run and records which of its tasks are done.
 *
 * <p>It starts with a header, which is written atomically: the bytes {@code "RECHUNK1"}, the length of the text as an
 * int, the text in UTF-8, and the CRC-32C of all of this. The records of a {@link RecordFile} follow: kind, array and
 * stage as ints, and a number as a long. All numbers are big-endian.
 */
public final class Journal implements Closeable {
    private static final byte[] MAGIC = "RECHUNK1".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_HEADER = 1 << 28;
    private static final int RECORD = 24;

    /** The end of the file name of a journal whose header is still being written. */
    static final String UNFINISHED = ".new";

    /** The kinds of records. */
    enum Kind {
        TASK(1),
        BEGUN(2),
        COMMITTED(3),
        CORRUPT(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        static Optional<Kind> of(int code) {
            return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
        }
    }

    private final String header;
    private final boolean durable;
    private final int mostRanges;
    private final BitSet begun = new BitSet();
    private final BitSet committed = new BitSet();
    /** By array that an earlier run began, the number of its creation. */
    private final Map<Integer, Long> creations = new HashMap<>();

    private final Map<Integer, TaskLog> logs = new ConcurrentHashMap<>();
    /** The file to append records to; null in a journal that is read-only. */
    private @Nullable RecordFile records;

    private boolean worthKeeping;
    private boolean empty = true;

    private Journal(String header, boolean durable, int mostRanges) {
        this.header = header;
        this.durable = durable;
        this.mostRanges = mostRanges;
    }

    /**
     * Creates a journal with a header and no records.
     *
     * @param durable whether each record is forced to the device; the output of a task must then be as durable
     */
    static Journal create(Path file, String header, boolean durable) throws IOException {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(MAGIC.length + Integer.BYTES + text.length + Integer.BYTES);
        bytes.put(MAGIC).putInt(text.length).put(text);
        bytes.putInt(RecordFile.checksum(bytes.array(), 0, bytes.position())).flip();
        Path temporary = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.deleteIfExists(temporary);
        try (FileChannel whole = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                whole.write(bytes);
            }
            if (durable) {
                whole.force(true);
            }
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Journal journal = new Journal(header, durable, TaskRanges.MOST);
        journal.records = new RecordFile(file, RECORD, bytes.limit());
        return journal;
    }

    /** Chooses tasks by the number of their array and their stage. */
    @FunctionalInterface
    public interface TaskFilter {
        /** {@return whether the tasks of a stage are chosen} */
        boolean accepts(int array, int stage);
    }

    /**
     * Writes another journal with the records of one.
     *
     * @param isKept chooses the tasks whose records are copied; all other records are
     */
    static void copy(Path from, Path to, String header, TaskFilter isKept) throws IOException {
        try (Journal copy = create(to, header, false);
                DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(from)))) {
            in.skipNBytes(MAGIC.length);
            in.skipNBytes(in.readInt() + (long) Integer.BYTES);
            RecordFile records = requireNonNull(copy.records);
            RecordFile.replay(in, RECORD, record -> {
                boolean isTask = record.getInt(0) == Kind.TASK.code;
                if (!isTask || isKept.accepts(record.getInt(Integer.BYTES), record.getInt(2 * Integer.BYTES))) {
                    append(records, record);
                }
                return true;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void append(RecordFile records, ByteBuffer record) {
        try {
            records.append(record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the journal in a file, opened for appending, or empty if this version cannot read the file} */
    static Optional<Journal> open(Path file, boolean durable) throws IOException {
        return replayed(file, durable, TaskRanges.MOST, true);
    }

    /**
     * {@return the current contents of the journal in a file, read-only and with all of its tasks, or empty if this
     * version cannot read the file}
     *
     * <p>Another process may be writing the file.
     */
    static Optional<Journal> read(Path file) throws IOException {
        return replayed(file, false, Integer.MAX_VALUE, false);
    }

    private static Optional<Journal> replayed(Path file, boolean durable, int mostRanges, boolean appends)
            throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            byte[] start = in.readNBytes(MAGIC.length + Integer.BYTES);
            int length = start.length < MAGIC.length + Integer.BYTES
                    ? -1
                    : ByteBuffer.wrap(start).getInt(MAGIC.length);
            if (length < 0 || length > Math.min(LARGEST_HEADER, Files.size(file))) {
                return Optional.empty();
            }
            byte[] text = in.readNBytes(length);
            byte[] stored = in.readNBytes(Integer.BYTES);
            ByteBuffer head =
                    ByteBuffer.allocate(start.length + length).put(start).put(text, 0, text.length);
            boolean whole = stored.length == Integer.BYTES
                    && ByteBuffer.wrap(stored).getInt() == RecordFile.checksum(head.array(), 0, head.position())
                    && ByteBuffer.wrap(start, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
            if (!whole) {
                return Optional.empty();
            }
            Journal journal = new Journal(new String(text, StandardCharsets.UTF_8), durable, mostRanges);
            long end = head.capacity() + Integer.BYTES + RecordFile.replay(in, RECORD, journal::replay);
            if (appends) {
                journal.records = new RecordFile(file, RECORD, end);
            }
            return Optional.of(journal);
        }
    }

    private boolean replay(ByteBuffer record) {
        Optional<Kind> kind = Kind.of(record.getInt());
        kind.ifPresent(k -> replay(k, record.getInt(), record.getInt(), record.getLong()));
        return kind.isPresent();
    }

    private void replay(Kind kind, int array, int stage, long number) {
        empty = false;
        worthKeeping |= kind == Kind.TASK || kind == Kind.COMMITTED;
        switch (kind) {
            case TASK -> array(array).replayDone(stage, number);
            case CORRUPT -> array(array).replayCorrupt(number);
            case BEGUN -> {
                begun.set(array);
                creations.put(array, number);
            }
            case COMMITTED -> {
                committed.set(array);
                array(array).forgetTasks();
            }
        }
    }

    /** {@return the header that the journal was created with, which describes the run} */
    public String header() {
        return header;
    }

    /** {@return the log of the array with this number} */
    public TaskLog array(int number) {
        return logs.computeIfAbsent(number, n -> new TaskLog(this, n, mostRanges));
    }

    /** Adds all tasks and corrupt chunks of another journal, without writing records. */
    void addAll(Journal other) {
        other.logs.forEach((number, log) -> logs.computeIfAbsent(number, n -> new TaskLog(this, n, Integer.MAX_VALUE))
                .addAll(log));
    }

    /** {@return whether there are no records} */
    synchronized boolean isEmpty() {
        return empty;
    }

    /** {@return whether an earlier run started to write an array} */
    public boolean isBegun(int array) {
        return begun.get(array);
    }

    /** {@return the number of the creation of an array that an earlier run started to write} */
    public long creation(int array) {
        return creations.getOrDefault(array, 0L);
    }

    /** {@return whether an earlier run committed an array} */
    public boolean isCommitted(int array) {
        return committed.get(array);
    }

    /** {@return whether finished work would be lost without this journal} */
    public synchronized boolean isWorthKeeping() {
        return worthKeeping;
    }

    synchronized void append(Kind kind, int array, int stage, long number) throws IOException {
        RecordFile file = requireNonNull(records, "the journal is read-only");
        ByteBuffer record = ByteBuffer.allocate(RECORD - Integer.BYTES);
        file.append(record.putInt(kind.code)
                .putInt(array)
                .putInt(stage)
                .putLong(number)
                .flip());
        if (durable) {
            file.force();
        }
        empty = false;
        worthKeeping |= kind == Kind.TASK || kind == Kind.COMMITTED;
    }

    /** Forces all records to the device, so that processes on other machines see them. */
    void force() throws IOException {
        requireNonNull(records, "the journal is read-only").force();
    }

    @Override
    public void close() throws IOException {
        if (records != null) {
            records.close();
        }
    }
}
