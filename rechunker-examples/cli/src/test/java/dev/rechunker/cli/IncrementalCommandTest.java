package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that copy parts, append to and write into existing arrays, and check what was written. */
class IncrementalCommandTest {
    @TempDir
    Path temp = Path.of("");

    @BeforeEach
    void write() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a.zarr"), "", Fixtures.spec().build());
    }

    private Cli copy(String from, String to, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "copy",
                temp.resolve(from).toString(),
                temp.resolve(to).toString(),
                "--max-mem",
                "40MB",
                "--threads=1"));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    private void assertDone(Cli cli) {
        assertEquals(0, cli.status(), cli.err());
    }

    @Test
    void appendedPartsFormTheWhole() {
        for (String target : List.of("b.zarr", "b.n5")) {
            assertDone(copy("a.zarr", target, "--region", "t=:5", "--chunks", "3,4,14"));
            assertDone(copy("a.zarr", target, "--region", "5:6, :, :", "--append", "t", "--verify"));
            Cli rest = copy("a.zarr", target, "--region", "t=6:", "--append=0", "--verify=0.1", "--json");
            assertDone(rest);
            assertTrue(rest.json().get("elementsVerified").getAsLong() > 0, rest.out());
            assertDone(Cli.run(
                    "verify",
                    temp.resolve("a.zarr").toString(),
                    temp.resolve(target).toString()));
        }
    }

    @Test
    void partIsWrittenAtItsPositionOrAnother() {
        assertDone(copy("a.zarr", "b.zarr", "--chunks", "5,5,5"));
        assertDone(copy("a.zarr", "b.zarr", "--into", "--region", "t=3:7", "--verify"));
        assertDone(Cli.run(
                "verify",
                temp.resolve("a.zarr").toString(),
                temp.resolve("b.zarr").toString()));
        assertDone(copy("a.zarr", "b.zarr", "--into", "--at", "2,0,0", "--region", "t=3:7", "--verify"));
        Cli different = Cli.run(
                "verify",
                temp.resolve("a.zarr").toString(),
                temp.resolve("b.zarr").toString());
        assertTrue(different.out().contains("element [2, 0, 0] is 281"), different.out());
    }

    @Test
    void outputDoesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            Cli cli = copy("a.zarr", "b.zarr", "--chunks", "keep", "--verify", "--checksums");
            assertDone(cli);
            assertTrue(cli.out().contains("verified: 1680 elements are the same"), cli.out());
            assertTrue(cli.out().contains("of the checksums of 6 chunks or shards"), cli.out());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void checksumsOfContentsDoNotDependOnChunks() {
        String first = contents(copy("a.zarr", "b.zarr", "--chunks", "keep", "--checksums=contents"));
        String other = contents(copy("a.zarr", "c.h5", "--chunks", "auto", "--checksums=contents"));
        assertEquals(first, other);
        for (String place : new String[] {"a.zarr", "b.zarr", "c.h5#data"}) {
            Cli info = Cli.run("info", temp.resolve(place).toString(), "--contents");
            assertEquals(0, info.status(), info.err());
            assertEquals(first, contents(info), place);
            Cli json = Cli.run("info", temp.resolve(place).toString(), "--contents", "--json", "--max-mem", "40MB");
            assertEquals(
                    "[{\"path\":\"\",\"checksum\":\"" + first + "\"}]",
                    json.json().get("contents").toString());
        }
        assertTrue(Files.notExists(Path.of("contents")));
    }

    private static String contents(Cli cli) {
        return cli.out()
                .lines()
                .filter(line -> line.startsWith("contents "))
                .map(line -> line.substring("contents ".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(cli.out() + cli.err()));
    }

    @Test
    void checksumsArePrintedAndWritten() throws IOException {
        Path sums = temp.resolve("sums.txt");
        Cli cli = Cli.run(
                "copy",
                "--verify",
                "--checksums=" + sums,
                temp.resolve("a.zarr").toString(),
                temp.resolve("b.zarr").toString(),
                "--max-mem",
                "40MB",
                "--chunks",
                "keep");
        assertDone(cli);
        assertEquals(6, Files.readAllLines(sums).size());
        assertTrue(cli.out().contains("verified: 1680 elements are the same"), cli.out());
        assertTrue(cli.out().contains("of the checksums of 6 chunks or shards"), cli.out());
        assertTrue(copy("a.zarr", "c.zarr", "--chunks", "keep", "--checksums", "--json")
                .json()
                .get("checksums")
                .getAsJsonArray()
                .get(0)
                .toString()
                .matches("\\{\"path\":\"\",\"units\":6,\"bytes\":\\d+,\"sha256\":\"\\p{XDigit}+\"}"));
    }

    @Test
    void invalidOptionsAreRefused() {
        assertDone(copy("a.zarr", "b.zarr", "--chunks", "5,5,5"));
        assertRefused("--chunks is for new arrays", "b.zarr", "--append", "t", "--chunks", "1,1,1");
        assertRefused("--format zarr2 is for new arrays", "b.zarr", "--append", "t", "--format", "zarr2");
        assertRefused("--codec is for new arrays", "b.zarr", "--append", "t", "--codec", "none");
        assertRefused("exclude each other", "b.zarr", "--append", "t", "--into");
        assertRefused("does not exist", "c.zarr", "--append", "t");
        assertRefused("has no axis depth", "b.zarr", "--append", "depth");
        assertRefused("--append \"\" does not name an axis", "b.zarr", "--append", "");
        assertRefused("has no axis 99999999999", "b.zarr", "--append", "99999999999");
        assertRefused("--at 1,0,0 is given without --into", "c.zarr", "--at", "1,0,0", "--chunks", "keep");
        assertRefused("--at is \"x\"", "b.zarr", "--into", "--at", "x");
        assertRefused("is not a range", "c.zarr", "--region", "5", "--chunks", "keep");
        assertRefused("exceeds 2^63 - 1", "c.zarr", "--region", "0:9223372036854775808,:,:", "--chunks", "keep");
        assertRefused("9223372036854775807", "c.zarr", "--region", "0:9223372036854775807,:,:", "--chunks", "keep");
        assertRefused("--verify: cannot compare a share of 2.0", "c.zarr", "--verify=2", "--chunks", "keep");
        assertRefused("--verify: \"all\" is not a number", "c.zarr", "--verify=all", "--chunks", "keep");
        assertRefused("--retries: \"x\" is not a whole number", "c.zarr", "--retries=x", "--chunks", "keep");
        assertRefused("--workers: the number of workers is 0", "c.zarr", "--workers=0", "--chunks", "keep");
        assertDone(copy("a.zarr", "d.h5", "--chunks", "5,5,5"));
        assertRefused("cannot be written into", "d.h5#data", "--append", "t");
    }

    @Test
    void longestPossibleAxisIsNotAppendedTo() throws IOException {
        Path document = temp.resolve("a.zarr/zarr.json");
        Path longest = Files.createDirectories(temp.resolve("b.zarr")).resolve("zarr.json");
        String text = Files.readString(document).replaceFirst("(\"shape\"\\s*:\\s*\\[\\s*)12", "$1" + Long.MAX_VALUE);
        Files.writeString(longest, text);
        assertRefused("b.zarr cannot become longer: it is (" + Long.MAX_VALUE, "b.zarr", "--append", "t");
        assertEquals(text, Files.readString(longest));
    }

    @Test
    void adviceNamesOptions() {
        assertDone(copy("a.zarr", "b.zarr", "--chunks", "5,5,5"));
        assertRefused("--shards is for new arrays", "b.zarr", "--into", "--shards", "none");
        assertRefused("copy to a new place without --append and --into", "b.zarr#none", "--into");
        String plan = temp.resolve("plan.json").toString();
        assertRefused("copy to a new place without --append and --into", "b.zarr", "--into", "--save", plan);
        assertRefused(
                "; compare elements with --verify",
                "d.h5",
                "--format=hdf5-contiguous",
                "--codec=none",
                "--chunks=-1",
                "--checksums");
    }

    private void assertRefused(String part, String target, String... more) {
        Cli cli = copy("a.zarr", target, more);
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains(part), cli.err());
    }
}
