package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Throwables;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operation of source and target fails once, fails permanently, is slow, or reads too few bytes. */
@Timeout(120)
class FaultsTest {
    private static final Set<Operation> OF_SOURCE =
            EnumSet.of(Operation.NODE, Operation.OPEN_READER, Operation.READ, Operation.OPEN_ENCODED);

    @TempDir
    Path directory;

    private Set<Thread> threads = Set.of();
    private long files;

    @BeforeEach
    void recordThreadsAndFiles() throws IOException {
        threads = Thread.getAllStackTraces().keySet();
        files = openFiles();
    }

    @AfterEach
    void nothingIsLeaked() throws Exception {
        Set<Thread> left = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            left = new HashSet<>(Thread.getAllStackTraces().keySet());
            left.removeAll(threads);
            left.removeIf(thread -> !thread.getName().contains("rechunker"));
            if (left.isEmpty() && openFiles() <= files) {
                return;
            }
            Thread.sleep(10);
        }
        assertEquals(Set.of(), left);
        assertTrue(openFiles() <= files, () -> "files are still open");
    }

    /** {@return the files of this test that this process has open} */
    private long openFiles() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        long open = 0;
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path descriptor : all.toList()) {
                open += isOfThisTest(descriptor) ? 1 : 0;
            }
        }
        return open;
    }

    private boolean isOfThisTest(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(directory);
        } catch (NoSuchFileException e) {
            return false; // closed in the meantime
        }
    }

    private static boolean isEncoded(Operation operation) {
        return operation == Operation.OPEN_ENCODED || operation == Operation.WRITE_ENCODED;
    }

    /** A copy of a group with one array, in which one store has faults. */
    private final class Copy {
        final FaultyStore source;
        final FaultyStore target;
        final Path place = directory.resolve("target");
        private final Operation operation;

        Copy(Operation operation) throws IOException {
            this.operation = operation;
            Path from = directory.resolve("source");
            if (!Files.exists(from)) {
                try (ChunkStore store = Zarr.create(from)) {
                    Data.of(SpillingCopy.SOURCE).write(store, "a");
                }
            }
            source = new FaultyStore(Zarr.open(from));
            target = new FaultyStore(Zarr.create(place));
        }

        FaultyStore faulty() {
            return OF_SOURCE.contains(operation) ? source : target;
        }

        /** {@return the number of an operation in the middle of a copy} */
        long middle() {
            return switch (operation) {
                case READ, OPEN_ENCODED, WRITE, WRITE_ENCODED -> 100;
                default -> 1;
            };
        }

        Rechunker.Job job() {
            Rechunker.Chunked chunked = Rechunker.from(source)
                    .to(target)
                    .chunks(isEncoded(operation) ? new long[] {120, 1} : new long[] {2, 240});
            return chunked.maxMem("1MB").threads(2);
        }

        void assertArrived() throws IOException {
            try (ArrayReader reader = Zarr.open(place).openReader("a")) {
                assertArrayEquals(Data.of(SpillingCopy.SOURCE).elements(), Data.readAll(reader));
            }
            assertFalse(Files.exists(place.resolve(".rechunker-run")));
        }

        /** Checks that no incomplete array looks complete. */
        void assertNothingIncompleteIsVisible() throws IOException {
            assertTrue(Zarr.create(place).node("a").isEmpty() || isAfterTheArray(), "an incomplete array is visible");
        }

        private boolean isAfterTheArray() {
            return operation == Operation.WRITE_GROUP || operation == Operation.FINISH;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOperationThatFailsOnceIsRetried(Operation operation) throws Exception {
        Copy copy = new Copy(operation);
        copy.faulty().failOnce(operation, copy.middle());
        Report report = copy.job().execute();
        copy.assertArrived();
        boolean planned = operation == Operation.NODE || operation == Operation.OPEN_READER;
        assertEquals(planned ? 0 : 1, report.retries(), report::toString);
    }

    @ParameterizedTest
    @EnumSource
    void anOperationWhoseResponseIsLostIsRetried(Operation operation) throws Exception {
        Copy copy = new Copy(operation);
        copy.faulty().failAfterOnce(operation, copy.middle());
        copy.job().execute();
        copy.assertArrived();
    }

    @ParameterizedTest
    @EnumSource
    void anOperationThatFailsPermanentlyIsNamed(Operation operation) throws Exception {
        Copy copy = new Copy(operation);
        copy.faulty().failFrom(operation, copy.middle());
        IOException e =
                assertThrows(IOException.class, () -> copy.job().retries(2).execute());
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("told to fail " + operation), message);
        if (operation != Operation.NODE && operation != Operation.OPEN_READER) {
            assertTrue(message.contains(directory.resolve("source") + " to " + copy.place), message);
        }
        if (copy.middle() > 1) {
            assertTrue(message.contains("a [") && message.contains(" failed: "), message);
        }
        copy.assertNothingIncompleteIsVisible();

        Copy again = new Copy(operation);
        again.job().resume().overwrite().execute();
        again.assertArrived();
    }

    /** An error, such as an exhausted heap, ends a run as a failure does: with what is kept and how to resume. */
    @ParameterizedTest
    @EnumSource(names = {"OPEN_READER", "READ", "WRITE", "COMMIT", "WRITE_GROUP"})
    void anErrorSaysHowToResume(Operation operation) throws Exception {
        Copy copy = new Copy(operation);
        AtomicBoolean planned = new AtomicBoolean();
        copy.faulty().before(operation, number -> {
            if (planned.get() && number >= copy.middle()) {
                throw new OutOfMemoryError("Java heap space");
            }
        });
        Plan plan = copy.job().plan();
        planned.set(true);
        IOException e = assertThrows(IOException.class, plan::execute);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains(directory.resolve("source") + " to " + copy.place), message);
        assertTrue(message.contains("allow more with -Xmx"), message);
        boolean isSomethingDone = operation == Operation.COMMIT || operation == Operation.WRITE_GROUP;
        assertEquals(isSomethingDone, message.contains("resume()"), message);
        copy.assertNothingIncompleteIsVisible();

        Copy again = new Copy(operation);
        again.job().resume().execute();
        again.assertArrived();
    }

    @ParameterizedTest
    @EnumSource
    void slowOperationsSucceed(Operation operation) throws Exception {
        Copy copy = new Copy(operation);
        copy.faulty().slow(operation, Duration.ofMillis(1));
        Report report = copy.job().execute();
        copy.assertArrived();
        assertEquals(0, report.retries());
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "OPEN_ENCODED"})
    void aShortReadIsRetried(Operation operation) throws Exception {
        Copy copy = new Copy(operation);
        copy.source.throwing(EOFException::new).failOnce(operation, copy.middle());
        assertEquals(1, copy.job().execute().retries());
        copy.assertArrived();
    }

    @Test
    void permanentFailuresAreNotRetried() throws Exception {
        List<Function<String, Exception>> permanent = List.of(
                StoreException::new,
                AccessDeniedException::new,
                NoSuchFileException::new,
                message -> new IOException(message + ": No space left on device"),
                message -> new IOException("wrapped", new StoreException(message)),
                IllegalStateException::new);
        for (Function<String, Exception> made : permanent) {
            Copy copy = new Copy(Operation.READ);
            copy.source.throwing(made).failOnce(Operation.READ, 100);
            IOException e =
                    assertThrows(IOException.class, () -> copy.job().overwrite().execute());
            assertTrue(
                    Throwables.getStackTraceAsString(e).contains("told to fail READ 100"),
                    () -> Throwables.getStackTraceAsString(e));
        }
    }

    @Test
    void aFailureStopsTheRunAndFurtherFailuresAreSuppressed() throws Exception {
        Copy copy = new Copy(Operation.READ);
        copy.source.failFrom(Operation.READ, 100);
        long start = System.nanoTime();
        IOException e =
                assertThrows(IOException.class, () -> copy.job().retries(2).execute());
        assertTrue(System.nanoTime() - start < 20_000_000_000L);
        List<Throwable> all = new ArrayList<>(List.of(e.getSuppressed()));
        assertTrue(all.size() <= 1, all::toString);
        assertTrue(copy.source.count(Operation.READ) <= 99 + 3 + 3, "the run did not stop");
    }
}
