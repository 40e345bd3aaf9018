package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.FileTrees;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM is killed repeatedly while it copies, and other JVMs resume the copy. */
@Timeout(900)
class KillTest {
    /** The maximum number of kills of one copy, so that it ends even on a slow machine. */
    private static final int MAX_KILLS_OF_COPY = 8;

    private static final int KILLS = 25;

    @TempDir
    Path directory;

    /** The time at which the last JVM reported that it had made its plan. */
    private long started;

    @Test
    void aKilledCopyIsResumedAndEndsWithTheSameBytes() throws Exception {
        Path undisturbed = directory.resolve("undisturbed.zarr");
        List<Plan> plans = new ArrayList<>();
        try (ChunkStore from = SpillingCopy.source();
                ChunkStore to = Zarr.create(undisturbed)) {
            for (int threads = 1; threads <= 2; threads++) {
                Plan plan = SpillingCopy.job(from, to, threads).plan();
                PlannedCopy copy = plan.arrays().get(0).copy();
                assertEquals("Spill", copy.strategy(), plan::explain);
                assertEquals(
                        SpillingCopy.SOURCE.bytes() / 2,
                        copy.cost().spillPeakBytes(),
                        "the plan does not have two blocks");
                plans.add(plan);
            }
            SpillingCopy.job(from, to, 2).execute();
        }
        assertEquals(SpillingCopy.UNITS + 1, FileTrees.files(undisturbed).size());

        assertEquals("done 0 tasks too few", run("spill", directory.resolve("first"), 1, directory.resolve("log"), -1));
        long whole = (System.nanoTime() - started) / 1000;
        assertEquals(List.of(), FileTrees.differences(undisturbed, directory.resolve("first")));

        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int kills = 0;
        int rounds = 0;
        while (kills < KILLS) {
            int threads = 1 + rounds % 2;
            Path target = directory.resolve("target-" + rounds + ".zarr");
            Path log = directory.resolve("log-" + rounds);
            int killed = 0;
            String last = "";
            while (!last.startsWith("done ")) {
                long life = kills + killed < KILLS && killed < MAX_KILLS_OF_COPY
                        ? (long) (random.nextDouble() * 1.2 * whole)
                        : -1;
                last = run("spill", target, threads, log, life);
                killed += last.startsWith("done ") ? 0 : 1;
            }
            String where = "seed " + seed + ", round " + rounds + ", " + killed + " kills";
            assertEquals(List.of(), FileTrees.differences(undisturbed, target), where);
            assertEquals(List.of(), SpillingCopy.ownFiles(target), where);
            assertEquals("done 0 tasks too few", last, where);
            assertOnlyTasksInProgressAreRepeated(log, plans.get(threads - 1), threads, killed, where);
            kills += killed;
            rounds++;
        }
        assertTrue(rounds > 1, () -> "seed " + seed + ": all kills in the first rounds");
    }

    /**
     * The memory of a killed JVM is lost, so a block is read again until the windows that were in memory are written.
     */
    @Test
    void blocksThatWereInMemoryAreReadAgain() throws Exception {
        Path undisturbed = directory.resolve("undisturbed.zarr");
        Path log = directory.resolve("log");
        assertEquals("done 0 tasks too few", run("keeping", undisturbed, 1, log, -1));
        long whole = (System.nanoTime() - started) / 1000;
        Random random = new Random(11);
        for (int round = 0; round < 3; round++) {
            Path target = directory.resolve("target-" + round + ".zarr");
            Files.delete(log);
            int kills =
                    runUntilDone("keeping", target, 1 + round % 2, log, 4, () -> (long) (random.nextDouble() * whole));
            assertEquals(List.of(), FileTrees.differences(undisturbed, target));
            assertEquals(List.of(), SpillingCopy.ownFiles(target));
            long reads = Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("read"))
                    .count();
            long block = SpillingCopy.SOURCE_CHUNKS / 2;
            assertTrue(reads <= SpillingCopy.SOURCE_CHUNKS + kills * block, kills + " kills, " + reads + " reads");
        }
    }

    /** Both temporary copies are kept until they are not needed any more. */
    @Test
    void aRegroupedSpillEndsWithTheSameBytes() throws Exception {
        try (ChunkStore to = Zarr.create(directory.resolve("planned.zarr"))) {
            Plan plan = SpillingCopy.regrouping(to, 1).plan();
            assertEquals(3, plan.arrays().get(0).copy().stages().size(), plan::explain);
        }
        endsWithTheSameBytes("regrouping");
    }

    /** A piece of which only a part was written is written again. */
    @Test
    void aCompressedSpillEndsWithTheSameBytes() throws Exception {
        for (int threads = 1; threads <= 2; threads++) {
            try (ChunkStore to = Zarr.create(directory.resolve("planned.zarr"))) {
                Plan plan = SpillingCopy.compressing(to, threads).plan();
                assertTrue(plan.explain().contains("compressed by"), plan::explain);
            }
        }
        endsWithTheSameBytes("compressing");
    }

    private void endsWithTheSameBytes(String way) throws Exception {
        Path undisturbed = directory.resolve("undisturbed.zarr");
        Path log = directory.resolve("log");
        assertEquals("done 0 tasks too few", run(way, undisturbed, 1, log, -1));
        long whole = (System.nanoTime() - started) / 1000;
        Random random = new Random(5);
        for (int round = 0; round < 2; round++) {
            Path target = directory.resolve("target-" + round + ".zarr");
            runUntilDone(way, target, 1 + round % 2, log, 5, () -> (long) (random.nextDouble() * whole / 2));
            assertEquals(List.of(), FileTrees.differences(undisturbed, target));
            assertEquals(List.of(), SpillingCopy.ownFiles(target));
        }
    }

    /** A sweep is one task, but the chunks that it has written are not read again. */
    @Test
    void aKilledSweepIsResumed() throws Exception {
        Path undisturbed = directory.resolve("undisturbed.zarr");
        Path log = directory.resolve("log");
        assertEquals("done 0 tasks too few", run("sweep", undisturbed, 1, log, -1));
        long whole = (System.nanoTime() - started) / 1000;
        assertEquals(
                SpillingCopy.SOURCE_CHUNKS,
                Files.readAllLines(log).stream()
                        .filter(line -> line.startsWith("read"))
                        .count());
        Path target = directory.resolve("target.zarr");
        Random random = new Random(7);
        Files.delete(log);
        int kills = runUntilDone("sweep", target, 2, log, 12, () -> (long) (random.nextDouble() * whole / 2));
        assertEquals(List.of(), FileTrees.differences(undisturbed, target));
        List<String> lines = Files.readAllLines(log);
        long reads = lines.stream().filter(line -> line.startsWith("read")).count();
        long rowsUnderWay = 145_000 / (240 * 10 * 8) + 1;
        assertTrue(
                reads <= SpillingCopy.SOURCE_CHUNKS + kills * rowsUnderWay * 20, kills + " kills, " + reads + " reads");
        assertTrue(lines.size() - reads <= 24 + kills * rowsUnderWay, kills + " kills, " + lines);
    }

    /** Levels that are made in the same pass are lost with the JVM, and made later of what was written. */
    @Test
    void killedLevelsAreResumed() throws Exception {
        Path undisturbed = directory.resolve("undisturbed.zarr");
        Path log = directory.resolve("log");
        try (ChunkStore from = SpillingCopy.source();
                ChunkStore to = Zarr.create(directory.resolve("planned.zarr"))) {
            Plan plan = SpillingCopy.levels(Rechunker.from(from).to(to), 2).plan();
            assertEquals(4, plan.arrays().size());
            assertTrue(plan.explain().contains("are made in the same pass"), plan::explain);
        }
        assertEquals("done 0 tasks too few", run("levels", undisturbed, 2, log, -1));
        long whole = (System.nanoTime() - started) / 1000;
        Random random = new Random(13);
        int kills = 0;
        for (int round = 0; kills < 10; round++) {
            Path target = directory.resolve("target-" + round + ".zarr");
            kills += runUntilDone("levels", target, 1 + round % 2, log, 5, () -> (long) (random.nextDouble() * whole));
            assertEquals(List.of(), FileTrees.differences(undisturbed, target));
            assertEquals(List.of(), SpillingCopy.ownFiles(target));
        }
    }

    /**
     * Starts JVMs until one completes the copy; {@return the number of those that were killed, at most {@code most}}
     */
    private int runUntilDone(String way, Path target, int threads, Path log, int most, LongSupplier micros)
            throws Exception {
        int kills = 0;
        String last = "";
        while (!last.startsWith("done ")) {
            last = run(way, target, threads, log, kills < most ? micros.getAsLong() : -1);
            kills += last.startsWith("done ") ? 0 : 1;
        }
        assertEquals("done 0 tasks too few", last);
        return kills;
    }

    /** Runs a JVM that is killed after a time, or never if it is negative; {@return its last line of output} */
    private String run(String way, Path target, int threads, Path log, long micros) throws Exception {
        Path errors = directory.resolve("errors");
        Process process = ChildJvm.of(
                        List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC"),
                        SpillingCopy.class,
                        target.toString(),
                        Integer.toString(threads),
                        log.toString(),
                        way)
                .redirectError(errors.toFile())
                .start();
        String last = "";
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
                started = line.equals("started") ? System.nanoTime() : started;
                if (line.equals("started") && micros >= 0) {
                    TimeUnit.MICROSECONDS.sleep(micros);
                    process.destroyForcibly();
                }
            }
        } catch (IOException e) {
            last = "killed";
        }
        int exit = process.waitFor();
        if (exit != 0) {
            assertTrue(exit == 137 && micros >= 0, "exit " + exit + "\n" + Files.readString(errors));
            return "killed";
        }
        return last;
    }

    /** A kill repeats the tasks in progress: one for each thread, and one that was not recorded yet. */
    private static void assertOnlyTasksInProgressAreRepeated(Path log, Plan plan, int threads, int kills, String where)
            throws IOException {
        List<String> lines = Files.readAllLines(log);
        PlannedCopy.Stage split = plan.arrays().get(0).copy().stages().get(0);
        PlannedCopy.Stage merge = plan.arrays().get(0).copy().stages().get(1);
        long chunksOfTask = split.windows().chunkShape().extent(1);
        long unitsOfTask = merge.windows().chunkShape().extent(0);
        long tasks = (long) kills * (threads + 1);
        long reads = lines.stream().filter(line -> line.startsWith("read")).count();
        long writes = lines.size() - reads;
        assertTrue(reads >= SpillingCopy.SOURCE_CHUNKS, where);
        assertTrue(reads <= SpillingCopy.SOURCE_CHUNKS + tasks * chunksOfTask, where + ": " + reads + " reads");
        assertTrue(writes >= SpillingCopy.UNITS, where);
        assertTrue(writes <= SpillingCopy.UNITS + tasks * unitsOfTask, where + ": " + writes + " writes");
    }
}
