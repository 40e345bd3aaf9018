package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import dev.rechunker.Rechunker;
import dev.rechunker.Run;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two runs that write to the same target, in one process or two, exclude each other. */
@Timeout(120)
class TwoRunsTest {
    @TempDir
    Path directory;

    /** Starts a copy that waits in its middle, in a separate process. Argument: the target. */
    public static void main(String[] args) throws Exception {
        FaultyStore source = new FaultyStore(SpillingCopy.source());
        CountDownLatch reading = new CountDownLatch(100);
        source.before(Operation.READ, number -> {
            reading.countDown();
            if (number > 200) {
                SpillingCopy.Signals.waitForInput();
            }
        });
        Run run = SpillingCopy.job(source, Zarr.create(Path.of(args[0])), 1)
                .plan()
                .start();
        reading.await();
        SpillingCopy.Signals.say("writing");
        run.get();
    }

    @Test
    void theSecondProcessIsRefusedUntilTheFirstEnds() throws Exception {
        Path place = directory.resolve("target");
        Process first = ChildJvm.of(List.of(), TwoRunsTest.class, place.toString())
                .redirectError(directory.resolve("errors").toFile())
                .start();
        try (BufferedReader out = first.inputReader(StandardCharsets.UTF_8);
                ChunkStore target = Zarr.create(place)) {
            assertEquals("writing", out.readLine());
            var job = SpillingCopy.job(SpillingCopy.source(), target, 2);
            for (var second : List.of(job, job.resume(), job.overwrite())) {
                RefusedException e = assertThrows(RefusedException.class, second::execute);
                assertEquals(
                        "process " + first.pid() + " is writing to " + place
                                + " at this moment; wait until it has ended, or write elsewhere",
                        e.getMessage());
            }
            first.destroyForcibly().waitFor();
            job.overwrite().execute();
            assertEquals(List.of(), SpillingCopy.ownFiles(place));
        }
    }

    @Test
    void theSecondRunInTheSameProcessIsRefused() throws Exception {
        Path place = directory.resolve("target");
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        FaultyStore source = waiting(SpillingCopy.source(), reading, released);
        Run first = SpillingCopy.job(source, Zarr.create(place), 2).plan().start();
        reading.await();
        var second = SpillingCopy.job(SpillingCopy.source(), Zarr.create(place), 2);
        assertThrows(RefusedException.class, second::execute);
        released.countDown();
        assertEquals(0, first.get().tasksDoneBefore());
        assertThrows(RefusedException.class, second::execute);
        second.overwrite().execute();
    }

    /** The second run is refused while the first one is running, and while its target is unfinished. */
    @ParameterizedTest
    @CsvSource({"g, g/a", "g/a, g", "'', g/a", "g/a, ''"})
    void aGroupAndAnArrayInItExcludeEachOther(String one, String other) throws Exception {
        MemoryStore both = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        for (String path : List.of("g/a", "g/b")) {
            Data.of(SpillingCopy.SOURCE).write(both, path);
        }
        ChunkStore target = Zarr.create(directory.resolve("target"));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        FaultyStore slow = waiting(both, reading, released).failFrom(Operation.READ, 300);
        Run first = job(slow.at(one), target.at(one)).plan().start();
        reading.await();
        var second = job(both.at(other), target.at(other));
        for (var job : List.of(second, second.overwrite())) {
            RefusedException e = assertThrows(RefusedException.class, job::execute);
            assertTrue(String.valueOf(e.getMessage()).contains(" is writing to "), e.getMessage());
        }
        released.countDown();
        assertThrows(ExecutionException.class, first::get);
        RefusedException e = assertThrows(RefusedException.class, second::execute);
        assertTrue(String.valueOf(e.getMessage()).contains("an array in common with"), e.getMessage());
        job(both.at("g/b"), target.at("c")).execute();
    }

    /** A run overwrites a group, and another one writes into an array of it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writingIntoAnArrayAndOverwritingItsGroupExcludeEachOther(boolean groupFirst) throws Exception {
        MemoryStore both = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        for (String path : List.of("a", "b")) {
            Data.of(SpillingCopy.SOURCE).write(both, path);
        }
        ChunkStore target = Zarr.create(directory.resolve("target"));
        job(both.at(""), target.at("")).execute();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        FaultyStore slow = waiting(both, reading, released);
        String array = groupFirst ? "b" : "a"; // the run of the group starts with the other array
        var group = job((groupFirst ? slow : both).at(""), target.at("")).overwrite();
        var into = Rechunker.from((groupFirst ? both : slow).at(array))
                .into(target.at(array))
                .maxMem("1MB");
        Run first = (groupFirst ? group : into).plan().start();
        reading.await();
        var second = groupFirst ? into : group;
        RefusedException e = assertThrows(RefusedException.class, second::execute);
        assertTrue(String.valueOf(e.getMessage()).contains(" is writing to "), e.getMessage());
        released.countDown();
        first.get();
        second.execute();
        assertEquals(List.of(), SpillingCopy.ownFiles(directory.resolve("target")));
    }

    private static Rechunker.Job job(StoreLocation source, StoreLocation target) {
        return Rechunker.from(source)
                .to(target)
                .chunks(1, 240)
                .maxMem("145kB")
                .costModel(SpillingCopy.SLOW_TO_READ)
                .threads(2)
                .retries(0);
    }

    /** Both runs have checked the target before one of them creates the file. */
    @ParameterizedTest
    @CsvSource({"false, is being written by another run", "true, exists"})
    void theSecondRunThatCreatesAFileIsRefused(boolean finished, String why) throws Exception {
        Path place = directory.resolve("x.h5");
        try (ChunkStore first = Hdf5.create(place);
                FaultyStore target = new FaultyStore(Hdf5.create(place))) {
            target.before(Operation.CREATE, number -> {
                Data.of(SpillingCopy.SOURCE).write(first, "data");
                if (finished) {
                    first.finish(false);
                }
            });
            var second = Rechunker.from(SpillingCopy.source())
                    .to(target.at("data"))
                    .chunks(1, 240)
                    .maxMem("5MB");
            RefusedException e = assertThrows(RefusedException.class, second::execute);
            assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
            Data.of(SpillingCopy.SOURCE).check(first, "data");
        }
    }

    @Test
    void aSimultaneousAppendIsRefused() throws Exception {
        Path place = directory.resolve("target");
        SpillingCopy.job(SpillingCopy.source(), Zarr.create(place), 2).execute();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        FaultyStore source = waiting(SpillingCopy.source(), reading, released);
        Run first = Rechunker.from(source)
                .into(Zarr.open(place))
                .append(0)
                .maxMem("1MB")
                .plan()
                .start();
        reading.await();
        var second = Rechunker.from(SpillingCopy.source())
                .into(Zarr.open(place))
                .append(0)
                .maxMem("1MB");
        RefusedException e = assertThrows(RefusedException.class, second::execute);
        assertTrue(String.valueOf(e.getMessage()).contains(" is writing to "), e.getMessage());
        released.countDown();
        first.get();
        second.execute();
        try (ChunkStore target = Zarr.open(place);
                ArrayReader reader = target.openReader("")) {
            byte[] elements = Data.of(SpillingCopy.SOURCE).elements();
            assertArrayEquals(Bytes.concat(elements, elements, elements), Data.readAll(reader));
        }
        assertEquals(List.of(), SpillingCopy.ownFiles(place));
    }

    /** {@return a source whose reads count down a latch, and then wait for another one} */
    private static FaultyStore waiting(ChunkStore store, CountDownLatch reading, CountDownLatch released) {
        FaultyStore source = new FaultyStore(store);
        source.before(Operation.READ, number -> {
            reading.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return source;
    }
}
