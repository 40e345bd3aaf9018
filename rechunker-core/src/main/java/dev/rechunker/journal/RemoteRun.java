package dev.rechunker.journal;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.rechunker.store.RunValues;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The values of a run in an object store, which is used by one run at a time.
 *
 * <p>Each process that takes the place has a number, one more than the process before: it stores the value
 * {@code process/NUMBER/owner}, which succeeds for one process only. While it runs, it replaces
 * {@code process/NUMBER/sign} every few seconds. A process that begins later finds out whether that process is alive:
 * by its name, which is in its first value, if it is on the same system, else by waiting for another sign. The value
 * {@code process/NUMBER/ended} says that it has ended in a regular way.
 *
 * <p>The journal is a file of this process, of which a thread copies what was appended every {@value #UPLOAD_SECONDS}
 * seconds: {@code journal/NUMBER/I} are its bytes from {@code I *} {@value #SEGMENT} on. So a killed process loses the
 * records of the last seconds, and its tasks are done again. A process that resumes a run copies its journal to values
 * of its own.
 */
public final class RemoteRun implements RunPlace {
    private static final int SEGMENT = 1 << 16;
    private static final int UPLOAD_SECONDS = 2;
    private static final int SIGN_SECONDS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(16);

    private final RunValues values;
    private final long number;
    /** A directory of this process. */
    private final Path directory;

    private final Path file;
    private final Thread keeper;
    /** The number of the process that wrote the journal in the file; 0 if there is none. */
    private long source;

    private boolean own;
    private long uploaded;
    private boolean closed;
    private boolean lost;

    private RemoteRun(RunValues values, long number, Path directory) {
        this.values = values;
        this.number = number;
        this.directory = directory;
        this.file = directory.resolve("journal");
        this.keeper = new Thread(this::keep, "rechunker-journal");
        keeper.setDaemon(true);
    }

    /** {@return the place, taken for this process; empty if another run is using it} */
    public static Optional<RemoteRun> take(RunValues values) throws IOException, InterruptedException {
        return take(values, PATIENCE);
    }

    static Optional<RemoteRun> take(RunValues values, Duration patience) throws IOException, InterruptedException {
        long last = last(values);
        if (last > 0 && isAlive(values, last, patience)) {
            return Optional.empty();
        }
        long number = last + 1;
        if (!values.putNew(owner(number), bytes(Processes.own()))) {
            return Optional.empty();
        }
        RemoteRun run = new RemoteRun(values, number, Files.createTempDirectory("rechunk-"));
        try {
            run.sign();
            run.download(last);
            run.keeper.start();
            return Optional.of(run);
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    /** {@return the current journal of a run, read-only, or empty if there is none that can be read} */
    public static Optional<Journal> read(RunValues values) throws IOException {
        RemoteRun reading = new RemoteRun(values, 0, Files.createTempDirectory("rechunk-"));
        try {
            reading.download(last(values));
            return reading.source == 0 ? Optional.empty() : Journal.read(reading.file);
        } finally {
            reading.deleteFiles();
        }
    }

    /** {@return whether a process is using the place} */
    public static boolean isInUse(RunValues values) throws IOException, InterruptedException {
        long last = last(values);
        return last > 0 && isAlive(values, last, PATIENCE);
    }

    /** {@return the number of the last process; 0 if there was none} */
    private static long last(RunValues values) throws IOException {
        long number = 0;
        while (values.get(owner(number + 1)).isPresent()) {
            number++;
        }
        return number;
    }

    private static boolean isAlive(RunValues values, long number, Duration patience)
            throws IOException, InterruptedException {
        if (values.get(ended(number)).isPresent()) {
            return false;
        }
        Optional<Boolean> known = Processes.isAlive(text(values, owner(number)));
        if (known.isPresent()) {
            return known.get();
        }
        String first = text(values, sign(number));
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(Math.min(1000, patience.toMillis() / 4));
            if (values.get(ended(number)).isPresent()) {
                return false;
            }
            if (!text(values, sign(number)).equals(first)) {
                return true;
            }
        }
        return false;
    }

    private static String owner(long number) {
        return "process/" + number + "/owner";
    }

    private static String sign(long number) {
        return "process/" + number + "/sign";
    }

    private static String ended(long number) {
        return "process/" + number + "/ended";
    }

    private static String journal(long number) {
        return "journal/" + number;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(RunValues values, String name) throws IOException {
        return new String(values.get(name).orElse(new byte[0]), StandardCharsets.US_ASCII);
    }

    private void sign() throws IOException {
        values.put(sign(number), bytes(Long.toString(System.nanoTime())));
    }

    /** Copies the last journal that can be read to the file. */
    private void download(long last) throws IOException {
        for (long candidate = last; candidate > 0 && source == 0; candidate--) {
            try (OutputStream out = Files.newOutputStream(file)) {
                long segment = 0;
                Optional<byte[]> bytes = values.get(journal(candidate) + "/" + segment);
                while (bytes.isPresent()) {
                    out.write(bytes.get());
                    segment++;
                    bytes = values.get(journal(candidate) + "/" + segment);
                }
            }
            source = Journal.read(file).isPresent() ? candidate : 0;
        }
    }

    /** Signs and uploads until the place is closed. What fails is tried again. */
    private void keep() {
        long start = System.nanoTime();
        for (long second = 1; ; second++) {
            synchronized (this) {
                long next = start + TimeUnit.SECONDS.toNanos(second);
                while (!closed && System.nanoTime() < next) {
                    try {
                        TimeUnit.NANOSECONDS.timedWait(this, next - System.nanoTime());
                    } catch (InterruptedException e) {
                        return; // no other thread interrupts this one
                    }
                }
                if (closed) {
                    return;
                }
            }
            keep(second);
        }
    }

    private void keep(long second) {
        try {
            if (second % UPLOAD_SECONDS == 0) {
                upload();
            }
            if (second % SIGN_SECONDS == 0) {
                sign();
                exists();
            }
        } catch (IOException e) {
            return; // tried again at the next time
        }
    }

    /** Stores what was appended to the file since the last time. */
    private synchronized void upload() throws IOException {
        if (!own || lost) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            while (uploaded < size) {
                long segment = uploaded / SEGMENT;
                ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(SEGMENT, size - segment * SEGMENT));
                int read = 0;
                while (bytes.hasRemaining() && read >= 0) {
                    read = channel.read(bytes, segment * SEGMENT + bytes.position());
                }
                values.put(journal(number) + "/" + segment, bytes.array());
                uploaded = segment * SEGMENT + bytes.capacity();
            }
        }
    }

    @Override
    public String name() {
        return values.name();
    }

    /**
     * {@return whether the place exists, and was not taken by another process, which believed that this one had ended}
     */
    @Override
    public boolean exists() throws IOException {
        boolean isThere = values.get(owner(number)).isPresent() && !isTaken();
        synchronized (this) {
            lost |= !isThere;
            return !lost;
        }
    }

    /** {@return whether another process has taken the place since} */
    public boolean isTaken() throws IOException {
        return values.get(owner(number + 1)).isPresent();
    }

    /** {@return whether the place is no longer that of this process, so that nothing of the run may be deleted} */
    public synchronized boolean isLost() {
        return lost;
    }

    @Override
    public boolean hasJournal() {
        return source > 0;
    }

    @Override
    public Optional<Journal> journal(boolean durable) throws IOException {
        return hasJournal() ? Journal.read(file) : Optional.empty();
    }

    @Override
    public Journal createJournal(String header, boolean durable) throws IOException {
        Journal journal = Journal.create(file, header, false);
        replaceStored();
        return journal;
    }

    /**
     * {@return the journal of the earlier run, opened for appending, with another header}
     *
     * @param isKept whether to keep the records of tasks of an array and a stage
     */
    public Journal continueJournal(String header, Journal.TaskFilter isKept) throws IOException {
        Path before = directory.resolve("before");
        Files.move(file, before);
        Journal.copy(before, file, header, isKept);
        Files.delete(before);
        Journal journal = Journal.open(file, false).orElseThrow();
        replaceStored();
        return journal;
    }

    private synchronized void replaceStored() throws IOException {
        own = true;
        uploaded = 0;
        upload();
        if (source > 0) {
            values.delete(journal(source));
        }
        source = number;
    }

    @Override
    public synchronized void deleteJournal() throws IOException {
        own = false;
        source = 0;
    }

    /**
     * Stops the thread. The journal is stored up to its end, unless it was deleted; then everything is deleted that is
     * stored.
     */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        Uninterruptibles.joinUninterruptibly(keeper);
        try {
            if (!isLost()) {
                if (source == 0) {
                    values.deleteAll();
                } else {
                    upload();
                    values.put(ended(number), bytes("yes"));
                }
            }
        } finally {
            deleteFiles();
        }
    }

    private void deleteFiles() throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
    }
}
