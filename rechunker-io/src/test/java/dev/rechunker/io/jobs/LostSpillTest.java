package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Temporary data of many processes that one of them does not find: it refuses, instead of reading zeros. */
@Timeout(120)
class LostSpillTest {
    private static final Data DATA =
            Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(256, 256), Shape.of(128, 2)), DataType.INT32)
                    .build());

    @TempDir
    Path directory;

    private Path file;
    private Path spill;

    /** Saves a plan with two blocks, each written by several tasks. */
    @BeforeEach
    void save() throws IOException {
        file = directory.resolve("plan.json");
        spill = directory.resolve("spill");
        Files.createDirectory(directory.resolve("node0"));
        Files.createDirectory(directory.resolve("node1"));
        Files.createSymbolicLink(spill, directory.resolve("node0"));
        Path source = directory.resolve("source");
        try (ChunkStore store = Zarr.create(source)) {
            DATA.write(store, "");
        }
        try (ChunkStore target = Zarr.create(directory.resolve("target"))) {
            JobFile.save(
                    Rechunker.from(source)
                            .to(target)
                            .chunks(2, 256)
                            .maxMem("70kB")
                            .threads(1)
                            .spill(spill)
                            .costModel(new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9))
                            .plan(),
                    file);
        }
    }

    private void run(int stage, double from, double to) throws Exception {
        try (JobFile job = JobFile.open(file)) {
            assertEquals(2, job.tasks().size());
            long tasks = job.tasks().get(stage);
            assertTrue(tasks >= 8, () -> "only " + tasks);
            job.run(stage, (long) (from * tasks), (long) (to * tasks));
        }
    }

    private void finishAndCheck() throws Exception {
        try (JobFile job = JobFile.open(file)) {
            job.finish();
        }
        try (ChunkStore target = Zarr.open(directory.resolve("target"))) {
            DATA.check(target, "");
        }
        try (Stream<Path> left = Files.list(directory.resolve("node0"))) {
            assertEquals(List.of(), left.toList());
        }
    }

    private void assertRefused(int stage, String part) {
        for (int i = 0; i < 2; i++) {
            IOException e = assertThrows(IOException.class, () -> run(stage, 0, 1));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains(part) && message.contains(spill.toString()), message);
        }
    }

    /** {@return the files, of which there are several in each block} */
    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("node0"))) {
            List<Path> found = files.filter(Files::isRegularFile).sorted().toList();
            assertTrue(found.size() > 8, found::toString);
            return found;
        }
    }

    @Test
    void processesThatShareTheSpillCopyEverything() throws Exception {
        run(0, 0.3, 1);
        run(0, 0, 0.3);
        run(1, 0.5, 1);
        run(1, 0, 0.5);
        finishAndCheck();
    }

    @Test
    void aDirectoryOfTheSameNameOnAnotherMachineIsRefused() throws Exception {
        run(0, 0, 0.5);
        Files.delete(spill);
        Files.createSymbolicLink(spill, directory.resolve("node1"));
        assertRefused(0, "of this run is missing");
        Files.delete(spill);
        Files.createSymbolicLink(spill, directory.resolve("node0"));
        run(0, 0.5, 1);
        Files.delete(spill);
        Files.createSymbolicLink(spill, directory.resolve("node1"));
        assertRefused(1, "of this run is missing");
        try (Stream<Path> made = Files.list(directory.resolve("node1"))) {
            assertEquals(List.of(), made.toList());
        }
        Files.delete(spill);
        Files.createSymbolicLink(spill, directory.resolve("node0"));
        run(1, 0, 1);
        finishAndCheck();
    }

    @Test
    void aFileThatWasRemovedIsRefusedByWritersAndReaders() throws Exception {
        run(0, 0, 0.2);
        for (Path lost : List.of(files().get(1), files().get(files().size() - 1))) {
            Path kept = directory.resolve("kept");
            Files.move(lost, kept);
            assertRefused(0, "of the unfinished run is missing");
            assertFalse(Files.exists(lost));
            Files.move(kept, lost);
        }
        run(0, 0, 1);
        for (Path lost : files()) {
            Path kept = directory.resolve("kept");
            Files.move(lost, kept);
            assertRefused(1, "of the unfinished run is missing");
            assertFalse(Files.exists(lost));
            Files.move(kept, lost);
        }
        run(1, 0, 1);
        finishAndCheck();
    }

    @Test
    void aFileThatWasCutOffIsRefused() throws Exception {
        run(0, 0, 1);
        Path cut = files().get(1);
        try (FileChannel channel = FileChannel.open(cut, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(cut) - 1);
        }
        assertRefused(1, "of the unfinished run is incomplete");
    }

    @Test
    void aLinkInPlaceOfAFileIsNotFollowed() throws Exception {
        Path victim = Files.write(directory.resolve("victim"), new byte[1 << 20]);
        Path replaced = files().get(1);
        Files.delete(replaced);
        Files.createSymbolicLink(replaced, victim);
        assertRefused(0, "is a link");
        assertArrayEquals(new byte[1 << 20], Files.readAllBytes(victim));
        assertTrue(Files.isSymbolicLink(replaced));
    }

    @Test
    void aLinkInPlaceOfTheDirectoryIsNotFollowed() throws Exception {
        Path own = files().get(0).getParent();
        Path moved = directory.resolve("moved");
        Files.move(own, moved);
        Files.createSymbolicLink(own, moved);
        assertRefused(0, "of this run is missing");
        assertTrue(Files.exists(own, LinkOption.NOFOLLOW_LINKS));
    }
}
