package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Devices that are too small, and places that cannot be written to, are refused by name. Only root can mount a small
 * device; for other users, {@code FaultsTest} simulates the message of the system.
 */
@Timeout(120)
class SpaceTest {
    @TempDir
    Path directory;

    /** A device in memory; a directory if this process must not mount a device. */
    private static final class Device implements AutoCloseable {
        final Path place;
        final boolean mounted;

        Device(Path place, String size) throws IOException {
            this.place = Files.createDirectories(place);
            this.mounted = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", place.toString()) == 0;
        }

        void resize(String size) throws IOException {
            assertEquals(0, run("mount", "-o", "remount,size=" + size, place.toString()));
        }

        @Override
        public void close() throws IOException {
            if (mounted) {
                assertEquals(0, run("umount", place.toString()));
            }
        }

        private static int run(String... command) throws IOException {
            Process process;
            try {
                process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException e) {
                return -1; // this machine does not have the command
            }
            return process.onExit().join().exitValue();
        }
    }

    private static void assertArrived(ChunkStore store) throws IOException {
        try (ArrayReader reader = store.openReader("")) {
            assertArrayEquals(Data.of(SpillingCopy.SOURCE).elements(), Data.readAll(reader));
        }
    }

    @Test
    void aSpillThatDoesNotFitIsRefusedBeforeTheCopy() throws Exception {
        Path place = directory.resolve("target");
        ChunkStore target = Zarr.create(place);
        try (Device device = new Device(directory.resolve("small"), "100k")) {
            Rechunker.Job job = SpillingCopy.job(SpillingCopy.source(), target, 2);
            if (device.mounted) {
                RefusedException e = assertThrows(
                        RefusedException.class, () -> job.spill(device.place).execute());
                String message = String.valueOf(e.getMessage());
                assertTrue(message.startsWith("the spill takes 230 kB in " + device.place + ", where "), message);
                assertTrue(
                        message.contains(" are missing; name another place for temporary files with spill(...)"),
                        message);
                assertEquals(List.of(), Files.exists(place) ? List.of(place) : List.of());
            }
            job.execute();
        }
        assertArrived(target);
    }

    @Test
    void aDeviceThatReportsNoSizeIsUsed() throws Exception {
        ChunkStore target = Zarr.create(directory.resolve("target"));
        try (Device device = new Device(directory.resolve("endless"), "0")) {
            SpillingCopy.job(SpillingCopy.source(), target, 2)
                    .spill(device.place)
                    .execute();
        }
        assertArrived(target);
    }

    /** The spill of a copy to HDF5 is in the directory of the file. */
    @Test
    void theMessageNamesTheTargetAndNotItsSpill() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Rechunker.Job job = Rechunker.from(SpillingCopy.source())
                .to(Hdf5.create(file.resolve("x.h5")).at("data"))
                .chunks(1, 240)
                .maxMem("145kB")
                .costModel(SpillingCopy.SLOW_TO_READ)
                .threads(1);
        assertTrue(job.plan().explain().contains("temporary copy: "), job.plan()::explain);
        RefusedException e = assertThrows(RefusedException.class, job::execute);
        assertEquals(
                file.resolve("x.h5") + " cannot be written: " + file + " is not a writable directory; write elsewhere",
                e.getMessage());
    }

    @Test
    void aTargetBelowAFileIsRefused() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path place = file.resolve("target");
        for (ChunkStore target : List.of(Zarr.create(place), N5.create(place))) {
            Rechunker.Job job = SpillingCopy.job(SpillingCopy.source(), target, 2);
            RefusedException e = assertThrows(RefusedException.class, job::execute);
            assertEquals(
                    place + " cannot be written: no file can be created in " + file
                            + " (Not a directory); write elsewhere",
                    e.getMessage());
        }
    }

    @Test
    void aSpillBelowAFileIsRefused() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path place = directory.resolve("target");
        Rechunker.Job job =
                SpillingCopy.job(SpillingCopy.source(), Zarr.create(place), 2).spill(file.resolve("spill"));
        RefusedException e = assertThrows(RefusedException.class, job::execute);
        assertEquals(
                "the spill cannot be written to " + file.resolve("spill") + ": " + file
                        + " is not a writable directory; name another place for temporary files with spill(...), or copy"
                        + " without temporary files with noSpill()",
                e.getMessage());
        assertFalse(Files.exists(place));
    }

    @Test
    void aRunToAFullTargetIsResumedWhenThereIsSpace() throws Exception {
        try (Device device = new Device(directory.resolve("small"), "700k")) {
            ChunkStore target = Zarr.create(device.place.resolve("target"));
            Rechunker.Job job =
                    SpillingCopy.job(SpillingCopy.source(), target, 2).spill(directory.resolve("spill"));
            if (!device.mounted) {
                job.execute();
                assertArrived(target);
                return;
            }
            TaskFailedException e = assertThrows(TaskFailedException.class, job::execute);
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("No space left on device"), message);
            assertTrue(message.contains("; the target's device (" + device.place + ") has "), message);
            assertTrue(message.contains(" (uncompressed) are still to be written to the target"), message);
            assertTrue(message.contains("resume it with resume()"), message);
            assertTrue(target.node("").isEmpty());

            device.resize("8m");
            Report report = job.resume().execute();
            assertTrue(report.tasksDoneBefore() > 0, report::toString);
            assertArrived(target);
        }
    }
}
