package dev.rechunker.io.hdf5.write;

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

/** A file under construction whose channel an interrupt has closed, and with it its lock. */
class PartFileTest {
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
        written.write(Superblock.SIZE, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    /** What the JDK does when a thread is interrupted that writes. */
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
        Files.writeString(part, "somebody else's");
        assumeTrue(Files.readAttributes(part, BasicFileAttributes.class).fileKey() != null);
    }

    @Test
    void aLostLockStaysLost() throws Exception {
        try (PartFile written = PartFile.begin(file)) {
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
        assertTrue(Files.exists(part), "who had the lock may have filled it");
    }

    @Test
    void anotherFileOfTheSameNameIsNotGoneOnWith() throws Exception {
        try (PartFile written = PartFile.begin(file)) {
            interrupt(written);
            replacePart();
            assertRefused("replaced", () -> write(written));
        }
        assertEquals("somebody else's", Files.readString(part));
    }

    @Test
    void aFileThatWasRemovedIsNamed() throws Exception {
        try (PartFile written = PartFile.begin(file)) {
            interrupt(written);
            Files.delete(part);
            assertRefused(part.toString(), () -> write(written));
        }
    }

    @Test
    void closingRemovesOnlyItsOwn() throws Exception {
        PartFile written = PartFile.begin(file);
        replacePart();
        assertRefused("replaced", () -> written.publish(true));
        written.close();
        assertEquals("somebody else's", Files.readString(part));
        PartFile.begin(file).close();
        assertFalse(Files.exists(part));
    }

    @Test
    void closingRemovesWhatAnInterruptHasClosed() throws Exception {
        PartFile written = PartFile.begin(file);
        interrupt(written);
        written.close();
        assertFalse(Files.exists(part));
        PartFile.begin(file).close();
    }

    @Test
    void whatAnInterruptKeepsFromBeginningIsNotLeft() throws Exception {
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, () -> PartFile.begin(file));
        assertTrue(Thread.interrupted());
        assertFalse(Files.exists(part));
        PartFile.begin(file).close();
    }

    @Test
    void aPublishedFileThatWasReplacedIsNotRead() throws Exception {
        try (PartFile written = PartFile.begin(file)) {
            write(written);
            written.publish(false);
            Files.move(file, directory.resolve("moved"));
            Files.writeString(file, "somebody else's");
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
    void whatCannotBePublishedCanBeBegunAgain() throws Exception {
        Files.createDirectory(file);
        Files.createFile(file.resolve("in the way"));
        PartFile written = PartFile.begin(file);
        assertThrows(IOException.class, () -> written.publish(true));
        written.close();
        assertFalse(Files.exists(part));
        PartFile.begin(file).close();
    }
}
