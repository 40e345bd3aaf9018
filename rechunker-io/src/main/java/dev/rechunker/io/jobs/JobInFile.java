package dev.rechunker.io.jobs;

import dev.rechunker.SharedRun;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A plan in a file. Next to it is a directory with the same name and {@code .run}, with a journal of each process. */
record JobInFile(Path file) implements JobStorage {
    private Path records() {
        return file.resolveSibling(file.getFileName() + ".run");
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public Optional<String> existing() {
        return Stream.of(file, records())
                .filter(Files::exists)
                .map(Path::toString)
                .findFirst();
    }

    @Override
    public void write(byte[] plan, Step before) throws IOException {
        Path temporary = temporary();
        try {
            create(temporary, plan);
        } catch (FileSystemException e) { // no file was created
            throw refusal(e);
        } catch (IOException e) {
            throw afterDeleting(temporary, refusal(e));
        }
        try {
            before.run();
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw afterDeleting(temporary, e);
        } catch (RuntimeException e) {
            throw afterDeleting(temporary, e);
        }
    }

    private RefusedException refusal(IOException e) {
        return new RefusedException(
                "the plan cannot be written to " + file + ": " + StoreException.reasonWithoutFile(e)
                        + "; save it in a directory in which files can be created",
                e);
    }

    /** {@return a failure, after an attempt to delete the temporary file} */
    private static <E extends Exception> E afterDeleting(Path temporary, E failure) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    @Override
    public void replace(byte[] plan) throws IOException {
        Path temporary = temporary();
        try {
            create(temporary, plan);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw afterDeleting(
                    temporary,
                    new IOException(
                            "the plan cannot be written to " + file + ": " + StoreException.reasonWithoutFile(e), e));
        }
    }

    /** {@return a file for a plan until it is complete, of this process only} */
    private Path temporary() {
        return file.resolveSibling(file.getFileName() + ".new-" + UUID.randomUUID());
    }

    private static void create(Path temporary, byte[] plan) throws IOException {
        Files.write(temporary, plan, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public Optional<byte[]> read() throws IOException {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StoreException("the plan " + file + " cannot be read: " + StoreException.reasonWithoutFile(e), e);
        }
    }

    @Override
    public Records join(SharedRun run) throws IOException {
        return new Shared(run.records(records()));
    }

    @Override
    public boolean isBeside(Path other) {
        Path directory = file.toAbsolutePath().getParent();
        Path above = other.toAbsolutePath().getParent();
        try {
            return directory != null
                    && above != null
                    && !String.valueOf(other.getFileName()).startsWith(".")
                    && Files.isSameFile(directory, above);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void deleteRecords() throws IOException {
        SharedRun.deleteRecords(records());
    }

    /** The journals in a directory that processes share. */
    record Shared(SharedRun.Records ofRun) implements Records {
        @Override
        public void publish() throws IOException {
            ofRun.force();
        }

        @Override
        public void close() throws IOException {
            ofRun.close();
        }
    }
}
