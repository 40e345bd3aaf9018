package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.file.SharedFile;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that damaged files are read as far as possible, or refused. {@link Hdf5FuzzTest} tests other damage. */
class DamageTest {
    private static final long MOST_BYTES = 1 << 22;
    private static final int MOST_NODES = 300;

    @TempDir
    Path temporary;

    @Test
    void refusesFilesThatAreCutOff() throws IOException {
        for (String name : List.of("small_earliest.h5", "small_latest.h5")) {
            byte[] whole = Files.readAllBytes(Corpus.copy(name, temporary));
            Path cut = temporary.resolve("cut.h5");
            for (int size = 0; size < whole.length; size += 499) {
                Files.write(cut, Arrays.copyOf(whole, size));
                StoreException e = assertThrows(StoreException.class, () -> Hdf5.open(cut));
                assertTrue(String.valueOf(e.getMessage()).startsWith(cut.toString()), e::toString);
                Files.write(cut, withEnd(Arrays.copyOf(whole, size)));
                openAndReadOrRefuse(cut);
            }
            Files.write(cut, Arrays.copyOf(whole, whole.length - 1));
            StoreException e = assertThrows(StoreException.class, () -> Hdf5.open(cut));
            assertEquals(
                    cut + " is cut off: it has " + (whole.length - 1) + " bytes of " + whole.length, e.getMessage());
            Files.write(cut, Arrays.copyOf(whole, whole.length + 1));
            Hdf5.open(cut).close();
        }
    }

    /** {@return the bytes of a file with their number as the end in its superblock} */
    private static byte[] withEnd(byte[] file) {
        boolean old = file.length > 8 && file[8] < 2;
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (file.length >= 48) {
            bytes.putLong(old ? 40 : 28, file.length);
            if (!old) {
                Corpus.putChecksum(file, 0, 44);
            }
        }
        return file;
    }

    /** The HDF5 library does not open such files either. */
    @Test
    void refusesFilesThatWereNotClosed() throws IOException {
        Path file = Corpus.copy("small_latest.h5", temporary);
        byte[] bytes = Files.readAllBytes(file);
        for (byte flags : new byte[] {1, 5}) { // written by one process, without and with concurrent readers
            bytes[11] = flags;
            Corpus.putChecksum(bytes, 0, 44);
            Files.write(file, bytes);
            StoreException e = assertThrows(StoreException.class, () -> Hdf5.open(file));
            assertTrue(String.valueOf(e.getMessage()).startsWith(file + " is being written, or was not closed"));
        }
    }

    /** If elements have a checksum, damaged elements are never returned. */
    @Test
    void refusesDamagedElementsWithAChecksum() throws IOException {
        Path file = Corpus.copy("small_latest.h5", temporary);
        byte[] whole = Files.readAllBytes(file);
        List<int[]> positions = new ArrayList<>();
        try (Hdf5Store store = (Hdf5Store) Hdf5.open(file)) {
            ArraySpec spec = ((ArrayNode) store.node("arrays/fletcher").orElseThrow()).spec();
            FileMetadata metadata = FileMetadata.open(SharedFile.open(file));
            Located located = new ObjectFinder(metadata).find("arrays/fletcher").orElseThrow();
            Dataset dataset = Dataset.read(metadata, located.header());
            ChunkIndex index = IndexLoader.load(metadata, dataset, (StoredLayout.Chunks) dataset.layout());
            for (long i = 0; i < spec.chunks().count(); i++) {
                positions.add(new int[] {(int) index.position(i), index.size(i)});
            }
            metadata.close();
        }
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            byte[] bytes = whole.clone();
            int[] position = positions.get(random.nextInt(positions.size()));
            bytes[position[0] + random.nextInt(position[1])] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
            try (ChunkStore store = Hdf5.open(file);
                    ArrayReader reader = store.openReader("arrays/fletcher")) {
                assertArrayEquals(SmallFiles.ELEMENTS, Data.readAll(reader));
            } catch (IOException e) {
                refused++;
            }
        }
        assertEquals(300, refused);
    }

    private static void openAndReadOrRefuse(Path file) {
        try (ChunkStore store = Hdf5.open(file)) {
            int[] nodes = {0};
            visit(store, "", nodes);
        } catch (IOException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().isEmpty(), e::toString);
        }
    }

    private static void visit(ChunkStore store, String path, int[] nodes) throws IOException {
        if (++nodes[0] > MOST_NODES) {
            return;
        }
        try {
            Optional<Node> node = store.node(path);
            if (node.isPresent() && node.get() instanceof ArrayNode array) {
                if (array.spec().bytes() <= MOST_BYTES && array.spec().chunks().count() < 10_000) {
                    readAll(store, path);
                }
                return;
            }
        } catch (IOException e) {
            assertTrue(String.valueOf(e.getMessage()).contains(store.name()), e::toString);
            return;
        }
        try {
            for (String child : store.children(path)) {
                visit(store, NodePaths.below(path, child), nodes);
            }
        } catch (IOException e) {
            assertTrue(e.getMessage() != null, e::toString);
        }
    }

    private static void readAll(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            if (reader.traits().scratchBytes() <= MOST_BYTES) {
                Data.readAll(reader);
            }
        }
    }
}
