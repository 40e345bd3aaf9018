package dev.rechunker.io.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests files whose channel and lock were closed by an interrupt while they were written. */
class PartFileTest {
    private static final long RESERVED = 48;

    @TempDir
    Path directory;

    private Path file;
    private Path part;

    @BeforeEach
    void names() {
        file = directory.resolve("x.h5");
        part = directory.resolve("x.h5.part");
    }

    private static void write(PartFile written) throws IOException {
        written.write(RESERVED, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    /** Closes the channel by an interrupt of a thread that writes. */
    private static void interrupt(PartFile written) throws InterruptedException {
        Thread thread = new Thread(() -> {
            Thread.currentThread().interrupt();
            assertThrows(IOException.class, () -> write(written));
        });
        thread.start();
        thread.join();
    }

    private static void assertRefused(String message, Executable call) {
        StoreException e = assertThrows(StoreException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.toString());
    }

    private void replacePart() throws IOException {
        Files.move(part, directory.resolve("moved"));
        Files.writeString(part, "of another program");
        assumeTrue(Files.readAttributes(part, BasicFileAttributes.class).fileKey() != null);
    }

    @Test
    void lostLockIsNotTakenAgain() throws Exception {
        try (PartFile written = PartFile.begin(file, RESERVED)) {
            write(written);
            interrupt(written);
            try (FileChannel other = FileChannel.open(part, StandardOpenOption.WRITE)) {
                other.lock();
                assertRefused("being written", () -> write(written));
            }
            assertRefused("being written", () -> write(written));
            assertRefused("being written", () -> written.publish(true));
            assertRefused("being written", () -> written.read(0, ByteBuffer.allocate(1)));
        }
        assertFalse(Files.exists(file));
        assertTrue(Files.exists(part), "the owner of the lock may have written it");
    }

    @Test
    void anotherFileOfTheSameNameIsNotWritten() throws Exception {
        try (PartFile written = PartFile.begin(file, RESERVED)) {
            interrupt(written);
            replacePart();
            assertRefused("replaced", () -> write(written));
        }
        assertEquals("of another program", Files.readString(part));
    }

    @Test
    void refusalNamesAFileThatWasDeleted() throws Exception {
        try (PartFile written = PartFile.begin(file, RESERVED)) {
            interrupt(written);
            Files.delete(part);
            assertRefused(part.toString(), () -> write(written));
        }
    }

    @Test
    void closingDeletesOnlyTheOwnFile() throws Exception {
        PartFile written = PartFile.begin(file, RESERVED);
        replacePart();
        assertRefused("replaced", () -> written.publish(true));
        written.close();
        assertEquals("of another program", Files.readString(part));
        PartFile.begin(file, RESERVED).close();
        assertFalse(Files.exists(part));
    }

    @Test
    void closingDeletesAFileAfterAnInterrupt() throws Exception {
        PartFile written = PartFile.begin(file, RESERVED);
        interrupt(written);
        written.close();
        assertFalse(Files.exists(part));
        PartFile.begin(file, RESERVED).close();
    }

    @Test
    void interruptedStartLeavesNoFile() throws Exception {
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, () -> PartFile.begin(file, RESERVED));
        assertTrue(Thread.interrupted());
        assertFalse(Files.exists(part));
        PartFile.begin(file, RESERVED).close();
    }

    @Test
    void publishedFileThatWasReplacedIsNotRead() throws Exception {
        try (PartFile written = PartFile.begin(file, RESERVED)) {
            write(written);
            written.publish(false);
            Files.move(file, directory.resolve("moved"));
            Files.writeString(file, "of another program");
            assumeTrue(Files.readAttributes(file, BasicFileAttributes.class).fileKey() != null);
            Thread reader = new Thread(() -> {
                Thread.currentThread().interrupt();
                assertThrows(IOException.class, () -> written.read(0, ByteBuffer.allocate(1)));
            });
            reader.start();
            reader.join();
            assertRefused("replaced", () -> written.read(0, ByteBuffer.allocate(1)));
        }
    }

    @Test
    void fileThatCannotBePublishedCanBeStartedAgain() throws Exception {
        Files.createDirectory(file);
        Files.createFile(file.resolve("in the way"));
        PartFile written = PartFile.begin(file, RESERVED);
        assertThrows(IOException.class, () -> written.publish(true));
        written.close();
        assertFalse(Files.exists(part));
        PartFile.begin(file, RESERVED).close();
    }
}
