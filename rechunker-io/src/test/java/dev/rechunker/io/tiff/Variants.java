package dev.rechunker.io.tiff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.Stores;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Compares arrays of TIFF files with the elements that make_tiff.py has written beside them. */
final class Variants {
    private Variants() {}

    /** {@return the lines of the index in a directory} */
    static List<Variant> in(Path directory) throws IOException {
        return Files.readAllLines(directory.resolve("index.txt")).stream()
                .map(line -> line.split("\t", -1))
                .map(part -> new Variant(directory, part[0], part[1], part[2], part[3], part[4], part[5]))
                .toList();
    }

    /** A line of the index. */
    record Variant(
            Path directory, String file, String path, String type, String shape, String tolerance, String elements) {
        @Override
        public String toString() {
            return file + " " + path;
        }

        /** Reads the array, and compares it. */
        void check() throws IOException {
            try (ChunkStore store = Stores.open(directory.resolve(file))) {
                check(store);
            }
        }

        void check(ChunkStore store) throws IOException {
            byte[] expected = Files.readAllBytes(directory.resolve(elements));
            try (ArrayReader reader = store.openReader(path)) {
                assertEquals(type, reader.spec().dataType().name());
                assertEquals(
                        shape,
                        LongStream.of(reader.spec().shape().toArray())
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(",")));
                byte[] found = Data.readAll(reader);
                if (reader.spec().byteOrder() == ByteOrder.BIG_ENDIAN) {
                    swap(found, reader.spec().dataType().wordSize());
                }
                int most = Integer.parseInt(tolerance);
                if (most == 0) {
                    assertArrayEquals(expected, found);
                }
                for (int i = 0; i < found.length; i++) {
                    assertTrue(Math.abs((found[i] & 0xFF) - (expected[i] & 0xFF)) <= most, "byte " + i);
                }
            }
        }

        private static void swap(byte[] bytes, int word) {
            for (int start = 0; start < bytes.length; start += word) {
                for (int i = 0; i < word / 2; i++) {
                    byte first = bytes[start + i];
                    bytes[start + i] = bytes[start + word - 1 - i];
                    bytes[start + word - 1 - i] = first;
                }
            }
        }
    }
}
