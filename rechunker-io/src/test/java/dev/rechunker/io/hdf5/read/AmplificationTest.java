package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.Shape;
import dev.rechunker.io.file.SharedFile;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a few bytes that refer to the same large data many times do not fill the memory. */
class AmplificationTest {
    private static final int LARGE = 1 << 22;

    @TempDir
    Path temporary;

    /** {@return an HDF5 file to which bytes are appended} */
    private FileMetadata file(ByteBuffer appended) throws IOException {
        Path file = Corpus.copy("small_earliest.h5", temporary);
        byte[] whole = Files.readAllBytes(file);
        Files.write(
                file,
                ByteBuffer.allocate(whole.length + appended.capacity())
                        .put(whole)
                        .put(appended.clear())
                        .array());
        return FileMetadata.open(SharedFile.open(file));
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return a collection of the global heap with one object} */
    private static ByteBuffer collection(int objectSize) {
        int size = 16 + 16 + objectSize + 16;
        return little(size)
                .put("GCOL".getBytes(StandardCharsets.US_ASCII))
                .putInt(1)
                .putLong(size)
                .putShort((short) 1)
                .putShort((short) 1)
                .putInt(0)
                .putLong(objectSize)
                .putLong(size - Long.BYTES, 16); // the free space
    }

    private static ByteBuffer references(int count, long address, int length) {
        ByteBuffer references = little(16 * count);
        for (int i = 0; i < count; i++) {
            references.putInt(length).putLong(address).putInt(1);
        }
        return references.flip();
    }

    private static ByteBuffer textType() {
        return little(24)
                .put((byte) 0x19)
                .put((byte) 1)
                .putShort((short) 0)
                .putInt(16)
                .putInt(0x13)
                .clear();
    }

    @Test
    void refusesTooManyReferencesToOneText() throws IOException {
        long end = Files.size(Corpus.copy("small_earliest.h5", Files.createDirectory(temporary.resolve("size"))));
        try (FileMetadata metadata = file(collection(LARGE))) {
            PlainValues values = new PlainValues(metadata);
            Object few = values.read(textType(), Shape.of(3), references(3, end, 7));
            assertEquals(List.of("", "", ""), few);
            ByteBuffer many = references(4000, end, LARGE);
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                StoreException e =
                        assertThrows(StoreException.class, () -> values.read(textType(), Shape.of(4000), many));
                assertTrue(String.valueOf(e.getMessage()).contains("text"), e::toString);
            });
        }
    }

    @Test
    void refusesTooManyEmptyLists() throws IOException {
        try (FileMetadata metadata = file(little(0))) {
            ByteBuffer integers = little(12)
                    .put((byte) 0x10)
                    .putShort((short) 0x800)
                    .position(4)
                    .putInt(1)
                    .putShort((short) 0)
                    .putShort((short) 8)
                    .clear();
            Shape shape = Shape.of(64, 64, 64, 64, 64, 64, 64, 64, 0);
            PlainValues values = new PlainValues(metadata);
            assertEquals(List.of(List.of(), List.of()), values.read(integers, Shape.of(2, 0), little(0)));
            assertThrows(StoreException.class, () -> values.read(integers, shape, little(0)));
        }
    }

    /** Each block but the first covers most of the file, and starts 24 bytes after the one before. */
    @Test
    void refusesOverlappingHeaderBlocks() throws IOException {
        long end = Files.size(Corpus.copy("small_earliest.h5", Files.createDirectory(temporary.resolve("size"))));
        int blocks = 2000;
        ByteBuffer bytes = little(LARGE);
        bytes.put((byte) 1).position(2).putShort((short) 1).putInt(1).putInt(24).position(16);
        for (int i = 0; i < blocks; i++) {
            long next = end + 16 + 24L * (i + 1);
            bytes.putShort((short) ObjectHeader.CONTINUATION)
                    .putShort((short) 16)
                    .putInt(0);
            bytes.putLong(next).putLong(end + LARGE - next);
        }
        try (FileMetadata metadata = file(bytes)) {
            assertThrows(StoreException.class, () -> ObjectHeader.read(metadata, end));
        }
    }
}
