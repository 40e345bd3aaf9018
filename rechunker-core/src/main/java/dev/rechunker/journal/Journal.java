package dev.rechunker.journal;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;

/**
 * A file that says what a run does, and what of it is done.
 *
 * <p>It starts with a header, there as a whole or not at all: {@code "RECHUNK1"}, its length as an int, its text, and
 * the CRC-32C of all that. Then come the records of a {@link RecordFile}: kind, array and stage as ints, and a number
 * as a long. All numbers are big-endian.
 */
public final class Journal implements Closeable {
    private static final byte[] MAGIC = "RECHUNK1".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_HEADER = 1 << 28;
    private static final int RECORD = 24;

    /** How the name of a journal ends whose header is not whole yet. */
    static final String UNFINISHED = ".new";

    /** What a record says. */
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
    private final Map<Integer, TaskLog> logs = new HashMap<>();
    /** Where records go; null in a journal that is only read. */
    private @Nullable RecordFile records;

    private boolean worthKeeping;
    private boolean empty = true;

    private Journal(String header, boolean durable, int mostRanges) {
        this.header = header;
        this.durable = durable;
        this.mostRanges = mostRanges;
    }

    /**
     * Creates a journal.
     *
     * @param durable whether what is recorded survives a loss of power; what it speaks of has to as well, then
     */
    static Journal create(Path file, String header, boolean durable) throws IOException {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(MAGIC.length + Integer.BYTES + text.length + Integer.BYTES);
        bytes.put(MAGIC).putInt(text.length).put(text);
        bytes.putInt(RecordFile.checksum(bytes.array(), 0, bytes.position())).flip();
        Path temporary = file.resolveSibling(file.getFileName() + UNFINISHED);
        try (FileChannel whole = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
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

    /** {@return the journal in a file, to go on with, or empty if it is none that this version understands} */
    static Optional<Journal> open(Path file, boolean durable) throws IOException {
        return replayed(file, durable, TaskRanges.MOST, true);
    }

    /**
     * {@return the journal in a file as it is now, which somebody may be writing; every task that it knows is kept, and
     * nothing can be recorded in it}
     */
    static Optional<Journal> read(Path file) throws IOException {
        return replayed(file, false, Integer.MAX_VALUE, false);
    }

    private static Optional<Journal> replayed(Path file, boolean durable, int mostRanges, boolean goesOn)
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
            long end = head.capacity() + Integer.BYTES + RecordFile.replay(in, RECORD, journal::note);
            if (goesOn) {
                journal.records = new RecordFile(file, RECORD, end);
            }
            return Optional.of(journal);
        }
    }

    private boolean note(ByteBuffer record) {
        Optional<Kind> kind = Kind.of(record.getInt());
        kind.ifPresent(k -> note(k, record.getInt(), record.getInt(), record.getLong()));
        return kind.isPresent();
    }

    private void note(Kind kind, int array, int stage, long number) {
        empty = false;
        worthKeeping |= kind == Kind.TASK || kind == Kind.COMMITTED;
        switch (kind) {
            case TASK -> array(array).replayDone(stage, number);
            case CORRUPT -> array(array).replayCorrupt(number);
            case BEGUN -> begun.set(array);
            case COMMITTED -> {
                committed.set(array);
                array(array).forgetTasks();
            }
        }
    }

    /** {@return what the run does, as it was told when the journal was created} */
    public String header() {
        return header;
    }

    /** {@return what is done of the array with this number} */
    public TaskLog array(int number) {
        return logs.computeIfAbsent(number, n -> new TaskLog(this, n, mostRanges));
    }

    /** Takes over what another journal knows of tasks and chunks, all of it, without recording it. */
    void know(Journal other) {
        other.logs.forEach((number, log) -> logs.computeIfAbsent(number, n -> new TaskLog(this, n, Integer.MAX_VALUE))
                .know(log));
    }

    /** {@return whether nothing is recorded in it} */
    synchronized boolean isEmpty() {
        return empty;
    }

    /** {@return whether an earlier run has begun an array} */
    public boolean isBegun(int array) {
        return begun.get(array);
    }

    /** {@return whether an earlier run has completed an array} */
    public boolean isCommitted(int array) {
        return committed.get(array);
    }

    /** {@return whether anything is done that would have to be done again without it} */
    public synchronized boolean isWorthKeeping() {
        return worthKeeping;
    }

    synchronized void append(Kind kind, int array, int stage, long number) throws IOException {
        RecordFile file = requireNonNull(records, "a journal that is only read");
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

    @Override
    public void close() throws IOException {
        if (records != null) {
            records.close();
        }
    }
}
