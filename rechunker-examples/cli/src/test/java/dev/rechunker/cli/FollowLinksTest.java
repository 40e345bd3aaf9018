package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.Stores;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores with links out of their directories, and to nothing. */
class FollowLinksTest {
    @TempDir
    Path temp = Path.of("");

    private Cli run(String... args) {
        return Cli.run(Arrays.stream(args)
                .map(arg -> arg.startsWith("@") ? temp + "/" + arg.substring(1) : arg)
                .toArray(String[]::new));
    }

    private Cli copy(String... args) {
        String[] all = Arrays.copyOf(args, args.length + 5);
        System.arraycopy(new String[] {"--chunks", "keep", "--max-mem", "4MB", "--verify"}, 0, all, args.length, 5);
        String[] copy = new String[all.length + 1];
        copy[0] = "copy";
        System.arraycopy(all, 0, copy, 1, all.length);
        return run(copy);
    }

    /** Moves a file or directory of a store away, and puts a link to it, or to nothing, in its place. */
    private void link(String moved, String to) throws IOException {
        Path file = temp.resolve(moved);
        Files.createDirectories(temp.resolve("outside"));
        Files.move(file, temp.resolve("outside/moved-" + file.getFileName()));
        Files.createSymbolicLink(file, temp.resolve("outside").resolve(to));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5"})
    void anArrayOutOfTheStoreDoesNotMakeItsGroupUnreadable(String format) throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().codecs(List.of()).build();
        try (ChunkStore store =
                Stores.format(format).orElseThrow().create(temp.resolve("g").toString(), format)) {
            for (String path : new String[] {"a", "b", "c", "in/d"}) {
                Rechunker.from(MemoryStore.of(spec, Fixtures.count(spec)))
                        .to(store.at(path))
                        .chunks("keep")
                        .maxMem("64MB")
                        .execute();
            }
        }
        link("g/b", "moved-b");
        link("g/c", "nothing");
        Cli info = run("info", "@g");
        assertEquals(0, info.status(), info.err());
        assertTrue(info.out().contains("--follow-links"), info.out());
        assertTrue(info.out().contains("which does not exist"), info.out());

        Cli without = copy("@g", "@without.zarr");
        assertEquals(4, without.status(), without.err());
        assertTrue(without.err().contains("g#b: is not understood, and left out: "), without.err());
        assertTrue(without.err().contains("g#c: is not understood, and left out: "), without.err());
        assertTrue(Files.exists(temp.resolve("without.zarr/a")), without.err());
        assertTrue(Files.exists(temp.resolve("without.zarr/in/d")), without.err());
        assertTrue(Files.notExists(temp.resolve("without.zarr/b")), without.err());

        Cli with = copy("@g", "@with.zarr", "--follow-links");
        assertEquals(4, with.status(), "c has led to nothing: " + with.err());
        assertEquals(1, run("verify", "@g", "@with.zarr").status());
        assertEquals(0, run("verify", "@g#b", "@with.zarr#b", "--follow-links").status());
        Files.delete(temp.resolve("g/c"));
        assertEquals(0, run("verify", "@g", "@with.zarr", "--follow-links").status());
    }

    @Test
    void chunksOutOfTheStoreAreReadIfAllowed() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a"), "", Fixtures.spec().build());
        link("a/c/1/0/0", "moved-0");
        Cli refused = copy("@a", "@b.zarr");
        assertEquals(3, refused.status(), refused.err());
        assertTrue(refused.err().contains("which is only followed with --follow-links"), refused.err());
        assertEquals(0, copy("@a", "@b.zarr", "--overwrite", "--follow-links").status());
        assertEquals(0, run("verify", "@a", "@b.zarr", "--follow-links").status());

        Files.delete(temp.resolve("outside/moved-0"));
        Cli lost = copy("@a", "@c.zarr", "--follow-links");
        assertEquals(3, lost.status(), lost.err());
        assertTrue(lost.err().contains("which does not exist"), lost.err());
    }

    @Test
    void processesOfAJobArrayFollowLinks() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a"), "", Fixtures.spec().build());
        link("a/c/1/0/0", "moved-0");
        Cli saved = run(
                "copy",
                "@a",
                "@b.zarr",
                "--chunks",
                "12,5,7",
                "--max-mem",
                "4MB",
                "--follow-links",
                "--workers",
                "2",
                "--save",
                "@plan.json");
        assertEquals(0, saved.status(), saved.err());
        for (String line : saved.out().lines().toList()) {
            if (line.startsWith("run-tasks ") || line.startsWith("finish ")) {
                Cli cli = Cli.run(line.split(" "));
                assertEquals(0, cli.status(), cli.err());
            }
        }
        assertEquals(0, run("verify", "@a", "@b.zarr", "--follow-links").status());
    }
}
