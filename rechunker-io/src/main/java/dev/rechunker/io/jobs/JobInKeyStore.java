package dev.rechunker.io.jobs;

import dev.rechunker.SharedRun;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A plan in a value of a key store. Below a prefix with the same name and {@code .run} are the journals of the
 * processes. Each is written when its process has done a range of tasks, or has failed at one; tasks of a range in
 * which a process is killed are run again.
 */
record JobInKeyStore(KeyStore keys, String key) implements JobStorage {
    /** The number of journals that are read at the same time. */
    private static final int READERS = 16;

    private String records() {
        return key + ".run";
    }

    @Override
    public String name() {
        return keys.name() + "/" + key;
    }

    @Override
    public Optional<String> existing() throws IOException {
        if (read().isPresent()) {
            return Optional.of(name());
        }
        return keys.list(records()).isEmpty() ? Optional.empty() : Optional.of(keys.name() + "/" + records());
    }

    @Override
    public void write(byte[] plan, Step before) throws IOException {
        String trial = key + ".new";
        keys.put(trial, ByteBuffer.wrap(plan));
        try {
            before.run();
            keys.put(key, ByteBuffer.wrap(plan));
        } finally {
            keys.delete(trial);
        }
    }

    @Override
    public void replace(byte[] plan) throws IOException {
        keys.put(key, ByteBuffer.wrap(plan));
    }

    @Override
    public Optional<byte[]> read() throws IOException {
        return value(key);
    }

    private Optional<byte[]> value(String of) throws IOException {
        Optional<ByteSource> opened = keys.open(of);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = opened.get()) {
            byte[] bytes = new byte[Math.toIntExact(source.size())];
            source.read(0, ByteBuffer.wrap(bytes));
            return Optional.of(bytes);
        }
    }

    @Override
    public Records join(SharedRun run) throws IOException {
        Path directory = Files.createTempDirectory("rechunk-");
        try {
            List<String> names = keys.list(records()).values();
            copy(names, directory);
            return new Copied(directory, Set.copyOf(names), run.records(directory));
        } catch (IOException | RuntimeException e) {
            remove(directory);
            throw e;
        }
    }

    /** Copies journals to a directory, several at the same time, as each takes a request. */
    private void copy(List<String> names, Path directory) throws IOException {
        if (names.isEmpty()) {
            return;
        }
        ExecutorService readers = Executors.newFixedThreadPool(Math.min(READERS, names.size()));
        try {
            List<Future<?>> copies = new ArrayList<>();
            for (String name : names) {
                copies.add(readers.submit(() -> {
                    Optional<byte[]> journal = value(records() + "/" + name);
                    if (journal.isPresent()) { // otherwise the run was finished a moment ago
                        Files.write(directory.resolve(name), journal.get(), StandardOpenOption.CREATE_NEW);
                    }
                    return name;
                }));
            }
            for (Future<?> copy : copies) {
                copy.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure
                    ? failure
                    : new IOException("the records of " + name() + " cannot be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the records of " + name() + " were read");
        } finally {
            end(readers);
        }
    }

    /** Ends threads, so that none uses the directory any more. */
    private static void end(ExecutorService readers) {
        readers.shutdownNow();
        try {
            readers.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new ArrayList<>(files.toList());
        } catch (NoSuchFileException e) {
            return List.of(); // no task is recorded
        }
    }

    private static void remove(Path directory) throws IOException {
        for (Path file : files(directory)) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(directory);
    }

    @Override
    public boolean isBeside(Path other) {
        return false;
    }

    @Override
    public void deleteRecords() throws IOException {
        keys.deleteTree(records());
    }

    /**
     * Copies of all journals, in a directory of this process. Its own journal is written to the key store when it is
     * published, and at the end.
     */
    private final class Copied implements Records {
        private final Path directory;
        private final Set<String> others;
        private final SharedRun.Records journal;
        /** The size of the own journal when it was written to the key store; at first that without records. */
        private long published;

        Copied(Path directory, Set<String> others, SharedRun.Records journal) throws IOException {
            this.directory = directory;
            this.others = others;
            this.journal = journal;
            for (Path own : own()) {
                published = Files.size(own);
            }
        }

        private List<Path> own() throws IOException {
            return files(directory).stream()
                    .filter(file -> !others.contains(String.valueOf(file.getFileName())))
                    .toList();
        }

        /** Writes the own journal to the key store if there are new records. */
        @Override
        public synchronized void publish() throws IOException {
            for (Path file : own()) {
                byte[] records = Files.readAllBytes(file);
                if (records.length > published) {
                    keys.put(records() + "/" + file.getFileName(), ByteBuffer.wrap(records));
                    published = records.length;
                }
            }
        }

        @Override
        public SharedRun.Records ofRun() {
            return journal;
        }

        @Override
        public void close() throws IOException {
            try {
                journal.close();
                publish();
            } finally {
                remove(directory);
            }
        }
    }
}
