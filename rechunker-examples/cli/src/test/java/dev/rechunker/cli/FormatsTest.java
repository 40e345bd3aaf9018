package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with every format as source and target, and with joined files. */
class FormatsTest {
    @TempDir
    Path temp = Path.of("");

    private String at(String name) {
        return temp.resolve(name).toString();
    }

    private static Cli run(String command, String... args) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(args));
        return Cli.run(all.toArray(String[]::new));
    }

    private static void copy(String from, String to, String... more) {
        List<String> args = new ArrayList<>(List.of(from, to, "--chunks", "5,4,3", "--max-mem", "60MB"));
        args.addAll(List.of(more));
        Cli cli = run("copy", args.toArray(String[]::new));
        assertEquals(0, cli.status(), cli.err());
    }

    @Test
    void arraysGoFromFormatToFormat() throws IOException, InterruptedException {
        Fixtures.write(Path.of(at("a.zarr")), "", Fixtures.spec().build());
        copy(at("a.zarr"), at("b.n5"));
        copy(at("b.n5"), at("c.h5"));
        copy(at("c.h5#/data"), at("d"), "--format", "ome-zarr", "--axes", "t,y,x");
        copy(at("d#0"), at("e"), "--format", "hdf5-contiguous", "--codec", "none");
        copy(at("e#0"), at("f.zarr"), "--format", "zarr2");
        for (String copy : List.of("b.n5", "c.h5#data", "d#0", "e#0", "f.zarr")) {
            Cli verified = run("verify", at("a.zarr"), at(copy));
            assertEquals(0, verified.status(), copy + verified.out() + verified.err());
        }
        assertEquals(
                "n5", run("info", at("b.n5"), "--json").json().get("format").getAsString());
        assertEquals(
                "hdf5",
                run("info", at("c.h5#data"), "--json").json().get("format").getAsString());
        assertEquals(
                "zarr3", run("info", at("d#0"), "--json").json().get("format").getAsString());
    }

    /** The ending works as in the library. */
    @Test
    void endingOfNameSelectsImage() throws IOException, InterruptedException {
        Fixtures.write(Path.of(at("a.zarr")), "", Fixtures.spec().build());
        copy(at("a.zarr"), at("b.ome.zarr"), "--axes", "t,y,x");
        assertTrue(run("info", at("b.ome.zarr")).out().contains("image: "));
        assertEquals(0, run("verify", at("a.zarr"), at("b.ome.zarr#0")).status());
        Fixtures.write(
                Path.of(at("unnamed.zarr")),
                "",
                Fixtures.spec().dimensionNames(List.of()).build());
        Cli unnamed = run("copy", at("unnamed.zarr"), at("c.ome.zarr"), "--chunks", "5,4,3", "--max-mem", "60MB");
        assertEquals(2, unnamed.status());
        assertTrue(unnamed.err().contains("name them with --axes z,y,x"), unnamed.err());
        copy(at("a.zarr"), at("c.ome.zarr"), "--format", "zarr3");
        assertEquals(0, run("verify", at("a.zarr"), at("c.ome.zarr")).status());
    }

    @Test
    void groupsGoFromFormatToFormat() throws IOException, InterruptedException {
        Fixtures.write(Path.of(at("g.zarr")), "x", Fixtures.spec().build());
        Fixtures.write(Path.of(at("g.zarr")), "in/y", Fixtures.spec().build());
        copy(at("g.zarr"), at("h.h5"));
        copy(at("h.h5"), at("i.n5"));
        copy(at("i.n5#in"), at("j.zarr"));
        assertEquals(0, run("verify", at("g.zarr"), at("h.h5")).status());
        assertEquals(0, run("verify", at("g.zarr"), at("i.n5")).status());
        assertEquals(0, run("verify", at("g.zarr#in"), at("j.zarr")).status());
    }

    @Test
    void unfinishedFileIsRemoved() throws IOException, InterruptedException {
        Fixtures.write(Path.of(at("a.zarr")), "", Fixtures.spec().build());
        List<Path> chunks;
        try (Stream<Path> files = Files.walk(Path.of(at("a.zarr")))) {
            chunks = files.filter(
                            file -> Files.isRegularFile(file) && file.toString().matches(".*[0-9]"))
                    .toList();
        }
        for (Path chunk : chunks) {
            Files.write(chunk, new byte[] {1, 2, 3});
        }
        Cli cli = run("copy", at("a.zarr"), at("b.h5"), "--chunks", "5,4,3", "--max-mem", "60MB");
        assertEquals(3, cli.status(), cli.err());
        assertFalse(Files.exists(Path.of(at("b.h5"))));
        assertFalse(Files.exists(Path.of(at("b.h5.part"))));
    }

    @Test
    void fileThatIsBeingWrittenIsRefused() throws IOException, InterruptedException {
        Fixtures.write(Path.of(at("a.zarr")), "", Fixtures.spec().build());
        try (FileChannel part =
                FileChannel.open(Path.of(at("b.h5.part")), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            part.lock();
            Cli cli = run("copy", at("a.zarr"), at("b.h5"), "--chunks", "5,4,3", "--max-mem", "60MB");
            assertEquals(2, cli.status(), cli.err());
            assertTrue(cli.err().contains("b.h5.part is being written by another run"), cli.err());
        }
        assertTrue(Files.exists(Path.of(at("b.h5.part"))));
    }

    @Test
    void filesOfSeveralFormatsAreJoined() throws IOException, InterruptedException {
        ArraySpec whole = Fixtures.spec().build();
        Fixtures.write(Path.of(at("part-1.zarr")), "data", whole);
        copy(at("part-1.zarr"), at("part-2.h5"));
        copy(at("part-1.zarr"), at("part-10.n5"));
        Cli cli = run(
                "copy", at("part-*#data"), at("all.zarr"), "--concat", "t", "--chunks", "36,2,2", "--max-mem", "100MB");
        assertEquals(0, cli.status(), cli.err());
        assertEquals(
                "[36,10,14]",
                run("info", at("all.zarr"), "--json").json().get("shape").toString());
        Cli stacked = run(
                "copy",
                at("part-1.zarr#data"),
                at("part-2.h5#data"),
                at("stack.zarr"),
                "--stack",
                "run",
                "--chunks",
                "2,12,2,2",
                "--max-mem",
                "100MB");
        assertEquals(0, stacked.status(), stacked.err());
        assertEquals(
                "[2,12,10,14]",
                run("info", at("stack.zarr"), "--json").json().get("shape").toString());
    }

    @Test
    void invalidSourcesAreRefused() throws IOException, InterruptedException {
        Fixtures.write(Path.of(at("a.zarr")), "", Fixtures.spec().build());
        Cli two = run("copy", at("a.zarr"), at("a.zarr"), at("b"), "--chunks", "1,1,1", "--max-mem", "1MB");
        assertEquals(2, two.status());
        assertTrue(two.err().contains("--concat AXIS"), two.err());
        Cli none = run("copy", at("x-*.nc"), at("b"), "--concat", "t", "--chunks", "1,1,1", "--max-mem", "1MB");
        assertEquals(2, none.status());
        assertTrue(none.err().contains("matches \"x-*.nc\""), none.err());
    }
}
