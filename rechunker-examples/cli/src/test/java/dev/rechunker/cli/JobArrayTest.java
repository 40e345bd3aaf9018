package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.FileTrees;
import dev.rechunker.testing.RestartedProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Job arrays: eight small processes at the same time, in any order, of which some are killed and started again. */
@Timeout(600)
class JobArrayTest {
    private static final int PROCESSES = 8;
    private static final int PARTS = 12;
    private static final int KILLS_OF_STAGE = 5;
    private static final int LONGEST_LIFE_MILLIS = 4500;

    @TempDir
    Path directory;

    @Test
    void eightProcessesInAnyOrderWriteTheSameBytes() throws Exception {
        Path source = directory.resolve("source.zarr");
        ArraySpec spec = Fixtures.spec()
                .chunks(ChunkGrid.regular(Shape.of(1024, 1024), Shape.of(1024, 4)))
                .dimensionNames(List.of("y", "x"))
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        Fixtures.write(source, "", spec);
        String plan = directory.resolve("plan.json").toString();
        String target = directory.resolve("shared.zarr").toString();
        String local = directory.resolve("local.zarr").toString();
        String[] options = {"--chunks", "4,1024", "--max-mem", "700kB", "--threads", "1", "--verify"};

        Cli copied = Cli.run(command(options, "copy", source.toString(), local));
        assertEquals(0, copied.status(), copied.err());
        Cli saved = Cli.run(command(options, "copy", source.toString(), target, "--workers", "8", "--save", plan));
        assertEquals(0, saved.status(), saved.err());
        assertTrue(saved.out().contains("run-tasks " + plan + " --stage 1 --tasks 0-"), saved.out());
        assertEquals(
                2, Cli.run("run-tasks", plan, "--stage", "1", "--tasks", "0").status(), "stages are barriers");
        assertEquals(2, Cli.run("finish", plan).status(), "nothing is done yet");

        long seed = new Random().nextLong();
        RestartedProcesses processes =
                new RestartedProcesses(directory, PROCESSES, KILLS_OF_STAGE, LONGEST_LIFE_MILLIS, new Random(seed));
        int killed = processes.run(PARTS, part -> process(plan, 0, part));
        killed += processes.run(PARTS, part -> process(plan, 1, part));
        assertTrue(killed > 0, "no process was killed; seed " + seed);
        assertFalse(Files.exists(Path.of(target, "zarr.json")), "it looks finished");
        Cli finished = Cli.run("finish", plan);
        assertEquals(0, finished.status(), finished.err());
        assertTrue(finished.out().contains("verified: " + 1024 * 1024 + " elements"), finished.out());
        assertEquals(List.of(), FileTrees.differences(Path.of(local), Path.of(target)), "seed " + seed);
        assertEquals(
                2, Cli.run("run-tasks", plan, "--stage", "0", "--tasks", "0").status(), "it is finished");
    }

    @Test
    void unreadablePlanIsRefused() {
        String place = directory.toString();
        for (Cli cli : List.of(Cli.run("finish", place), Cli.run("run-tasks", place, "--stage", "0", "--tasks", "0"))) {
            assertEquals(2, cli.status(), cli.err());
            assertTrue(cli.err().contains(place), cli.err());
        }
    }

    /** A plan that was saved to a URI is run by the same commands. */
    @Test
    void plansAreSavedToUris() throws Exception {
        Path source = directory.resolve("source.zarr");
        Fixtures.write(source, "", Fixtures.spec().build());
        String plan = "local://" + directory.resolve("plans") + "/plan.json";
        String target = directory.resolve("shared.zarr").toString();
        String[] options = {"--chunks", "5,4,3", "--max-mem", "100MB", "--workers", "2", "--save", plan};
        Cli saved = Cli.run(command(options, "copy", source.toString(), target));
        assertEquals(0, saved.status(), saved.err());
        assertTrue(saved.out().contains("run-tasks " + plan + " --stage 0"), saved.out());
        Cli again = Cli.run(command(options, "copy", source.toString(), target + "2"));
        assertEquals(2, again.status(), again.err());
        assertTrue(again.err().contains("plan.json exists"), again.err());
        assertEquals(2, Cli.run("finish", plan).status(), "nothing is done yet");
        assertEquals(2, Cli.run("finish", plan + "x").status(), "there is no such plan");
        for (String part : new String[] {"1/2", "0/2", "0/2"}) {
            Cli run = Cli.run("run-tasks", plan, "--stage", "0", "--part", part);
            assertEquals(0, run.status(), run.err());
        }
        Cli finished = Cli.run("finish", plan);
        assertEquals(0, finished.status(), finished.err());
        Cli same = Cli.run("verify", source.toString(), target);
        assertEquals(0, same.status(), same.err());
        try (Stream<Path> left = Files.list(directory.resolve("plans"))) {
            assertEquals(List.of(directory.resolve("plans/plan.json")), left.toList());
        }
    }

    private static String[] command(String[] options, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    private static ProcessBuilder process(String plan, int stage, int part) {
        return ChildJvm.of(
                List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                Rechunk.class,
                "run-tasks",
                plan,
                "--stage",
                Integer.toString(stage),
                "--part",
                part + "/" + PARTS);
    }
}
