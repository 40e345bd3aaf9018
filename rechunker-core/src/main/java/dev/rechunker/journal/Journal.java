package dev.rechunker.journal;

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
import java.util.zip.CRC32C;

/**
 * A file that says what a run does, and what of it is done.
 *
 * <p>It starts with a header, there as a whole or not at all: {@code "RECHUNK1"}, its length as an int, its text, and
 * the CRC-32C of all that. Then come records of 24 bytes: kind, array, stage, the CRC-32C of the record with a zero in
 * this place, and a number as a long. All numbers are big-endian. What follows a record that is torn or damaged is
 * ignored, and written over.
 */
public final class Journal implements Closeable {
    private static final byte[] MAGIC = "RECHUNK1".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_HEADER = 1 << 28;
    private static final int RECORD = 24;
    private static final int CHECKSUM_AT = 12;

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
    private final FileChannel channel;
    private final boolean durable;
    private final int mostRanges;
    private final BitSet begun = new BitSet();
    private final BitSet committed = new BitSet();
    private final Map<Integer, TaskLog> logs = new HashMap<>();
    private final ByteBuffer record = ByteBuffer.allocate(RECORD);
    private boolean worthKeeping;
    private boolean empty = true;
    private long end;

    private Journal(String header, FileChannel channel, boolean durable, int mostRanges) {
        this.header = header;
        this.channel = channel;
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
        bytes.putInt(checksum(bytes.array(), bytes.position())).flip();
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
        Journal journal =
                new Journal(header, FileChannel.open(file, StandardOpenOption.WRITE), durable, TaskRanges.MOST);
        journal.end = bytes.limit();
        return journal;
    }

    /** {@return the journal in a file, to go on with, or empty if it is none that this version understands} */
    static Optional<Journal> open(Path file, boolean durable) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            Optional<Journal> journal = replayed(file, channel, durable, TaskRanges.MOST);
            if (journal.isPresent()) {
                channel.truncate(journal.get().end);
            } else {
                channel.close();
            }
            return journal;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * {@return the journal in a file as it is now, which somebody may be writing; every task that it knows is kept, and
     * nothing can be recorded in it}
     */
    static Optional<Journal> read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return replayed(file, channel, false, Integer.MAX_VALUE);
        }
    }

    private static Optional<Journal> replayed(Path file, FileChannel channel, boolean durable, int mostRanges)
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
                    && ByteBuffer.wrap(stored).getInt() == checksum(head.array(), head.position())
                    && ByteBuffer.wrap(start, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
            if (!whole) {
                return Optional.empty();
            }
            Journal journal = new Journal(new String(text, StandardCharsets.UTF_8), channel, durable, mostRanges);
            journal.end = head.capacity() + (long) Integer.BYTES;
            journal.replay(in);
            return Optional.of(journal);
        }
    }

    private void replay(DataInputStream in) throws IOException {
        byte[] bytes = in.readNBytes(RECORD);
        while (bytes.length == RECORD) {
            ByteBuffer read = ByteBuffer.wrap(bytes);
            int stored = read.getInt(CHECKSUM_AT);
            Optional<Kind> kind = Kind.of(read.getInt(0));
            read.putInt(CHECKSUM_AT, 0);
            if (stored != checksum(bytes, RECORD) || kind.isEmpty()) {
                break;
            }
            note(kind.get(), read.getInt(4), read.getInt(8), read.getLong(16));
            end += RECORD;
            bytes = in.readNBytes(RECORD);
        }
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
        record.clear();
        record.putInt(kind.code).putInt(array).putInt(stage).putInt(0).putLong(number);
        record.putInt(CHECKSUM_AT, checksum(record.array(), RECORD)).flip();
        long at = end;
        while (record.hasRemaining()) {
            at += channel.write(record, at);
        }
        if (durable) {
            channel.force(false);
        }
        end = at;
        empty = false;
        worthKeeping |= kind == Kind.TASK || kind == Kind.COMMITTED;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
