package dev.rechunker.io.jobs;

import dev.rechunker.SharedRun;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Failures;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;

/** A file, and beside it a directory of the same name and {@code .run} with a journal of each process. */
record FilePlace(Path file) implements JobPlace {
    private Path records() {
        return file.resolveSibling(file.getFileName() + ".run");
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public Optional<String> inTheWay() {
        return Stream.of(file, records())
                .filter(Files::exists)
                .map(Path::toString)
                .findFirst();
    }

    @Override
    public void write(byte[] plan, Step before) throws IOException {
        Path whole = whole();
        try {
            Files.write(whole, plan);
        } catch (FileSystemException e) { // nothing was made
            throw refusal(e);
        } catch (IOException e) {
            throw removing(whole, refusal(e));
        }
        try {
            before.run();
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw removing(whole, e);
        } catch (RuntimeException e) {
            throw removing(whole, e);
        }
    }

    private RefusedException refusal(IOException e) {
        return new RefusedException(
                "the plan cannot be written to " + file + ": " + Failures.why(e) + "; save it where a file can be made",
                e);
    }

    /** {@return a failure, after what was written is removed, if that can be} */
    private static <E extends Exception> E removing(Path whole, E failure) {
        try {
            Files.deleteIfExists(whole);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    @Override
    public void replace(byte[] plan) throws IOException {
        Path whole = whole();
        try {
            Files.write(whole, plan);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw removing(whole, new IOException("the plan cannot be written to " + file + ": " + Failures.why(e), e));
        }
    }

    /** {@return where a plan is until it is whole} */
    private Path whole() {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    @Override
    public Optional<byte[]> read() throws IOException {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StoreException("the plan " + file + " cannot be read: " + Failures.why(e), e);
        }
    }

    @Override
    public Records join(SharedRun run) throws IOException {
        return new Shared(run.records(records()));
    }

    @Override
    public void forget() throws IOException {
        SharedRun.deleteRecords(records());
    }

    /** The journals of a directory. */
    record Shared(SharedRun.Records ofRun) implements Records {
        @Override
        public void close() throws IOException {
            ofRun.close();
        }
    }
}
