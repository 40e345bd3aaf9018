package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Temporary files in a directory to which others write. */
@Timeout(60)
class SpillFilesTest {
    private static final byte[] PRECIOUS = {1, 2, 3};

    @TempDir
    Path directory;

    private Path spill() throws IOException {
        return Files.createDirectories(directory.resolve("spill"));
    }

    private ChunkStore target() throws IOException {
        return Zarr.create(directory.resolve("target"));
    }

    /** Fails in the middle of the second block. */
    private void fail(ChunkStore target) throws IOException {
        FaultyStore source = new FaultyStore(SpillingCopy.source()).failOnce(Operation.READ, 400);
        assertThrows(
                TaskFailedException.class,
                () -> SpillingCopy.job(source, target, 1)
                        .spill(spill())
                        .retries(0)
                        .execute());
    }

    private void resume(ChunkStore target) throws Exception {
        SpillingCopy.job(SpillingCopy.source(), target, 1)
                .spill(spill())
                .resume()
                .execute();
        Data.of(SpillingCopy.SOURCE).check(target, "");
        assertEquals(List.of(), list(spill()));
    }

    private static List<Path> list(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.sorted().toList();
        }
    }

    /** {@return the directory of the run that failed} */
    private Path own() throws IOException {
        assertEquals(1, list(spill()).size());
        return list(spill()).get(0);
    }

    private Path victim() throws IOException {
        return Files.write(directory.resolve("victim"), PRECIOUS);
    }

    @Test
    void onlyTheOwnerReadsThem() throws Exception {
        assumeTrue(spill().getFileSystem().supportedFileAttributeViews().contains("posix"));
        ChunkStore target = target();
        fail(target);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own())));
        assertFalse(list(own()).isEmpty());
        for (Path file : list(own())) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        resume(target);
    }

    @Test
    void aLinkInPlaceOfWhatIsLeftIsRefused() throws Exception {
        ChunkStore target = target();
        fail(target);
        Path victim = victim();
        Path file = list(own()).get(0);
        Files.delete(file);
        Files.createSymbolicLink(file, victim);
        IOException e = assertThrows(IOException.class, () -> resume(target));
        assertTrue(String.valueOf(e.getMessage()).contains("is a link"), e.getMessage());
        assertArrayEquals(PRECIOUS, Files.readAllBytes(victim));
    }

    /** Names in the directory of a run can be predicted, but only the owner can write there. */
    @ParameterizedTest
    @ValueSource(longs = {1, 241})
    void aLinkInPlaceOfWhatWillBeWrittenIsReplaced(long read) throws Exception {
        ChunkStore target = target();
        FaultyStore source = new FaultyStore(SpillingCopy.source()).before(Operation.READ, number -> {
            if (number == read) {
                Path own = own();
                for (int block = 0; block < 2; block++) {
                    for (int i = 0; i < 64; i++) {
                        Path file = own.resolve("0-0-" + block + "-" + i + ".spill");
                        if (Files.notExists(file)) {
                            Files.createSymbolicLink(file, victim());
                        }
                    }
                }
            }
        });
        SpillingCopy.job(source, target, 1).spill(spill()).execute();
        Data.of(SpillingCopy.SOURCE).check(target, "");
        assertArrayEquals(PRECIOUS, Files.readAllBytes(victim()));
        assertEquals(List.of(), list(spill()));
    }

    @Test
    void aLinkInPlaceOfTheDirectoryIsRefused() throws Exception {
        ChunkStore target = target();
        fail(target);
        Path own = own();
        Path elsewhere = directory.resolve("elsewhere");
        Files.move(own, elsewhere);
        List<Path> files = list(elsewhere);
        Files.createSymbolicLink(own, elsewhere);
        assertThrows(IOException.class, () -> resume(target));
        SpillingCopy.job(SpillingCopy.source(), target, 1)
                .spill(spill())
                .overwrite()
                .execute();
        assertEquals(files, list(elsewhere));
    }

    /** Nothing of a run that cannot be resumed is left, even if it is killed. */
    @Test
    void filesOfARunThatCannotBeResumedHaveNoNames() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "deletes files that are open");
        Path spill = spill();
        FaultyStore source = new FaultyStore(SpillingCopy.source())
                .before(Operation.READ, number -> assertEquals(List.of(), list(spill)));
        try (ChunkStore target = Hdf5.create(directory.resolve("target.h5"))) {
            Report report = Rechunker.from(source)
                    .to(target.at("data"))
                    .chunks(1, 240)
                    .maxMem("140kB")
                    .threads(1)
                    .costModel(SpillingCopy.SLOW_TO_READ)
                    .spill(spill)
                    .execute();
            assertTrue(report.spillPeakBytes() > 0, report::toString);
        }
        assertTrue(source.count(Operation.READ) >= SpillingCopy.SOURCE_CHUNKS);
    }
}
