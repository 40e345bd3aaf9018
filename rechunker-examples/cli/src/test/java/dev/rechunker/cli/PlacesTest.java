package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files and nodes that arguments name, including names with special characters. */
class PlacesTest {
    private static final ArraySpec SPEC = ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(3)), DataType.INT32)
            .build();

    @TempDir
    Path temp = Path.of("");

    private void write(String store, String path, int first) throws IOException, InterruptedException {
        byte[] elements = new byte[12];
        for (int i = 0; i < 3; i++) {
            Fixtures.put(elements, SPEC.byteOrder(), i, first + i);
        }
        Fixtures.write(temp.resolve(store), path, SPEC, elements);
    }

    private Cli run(String... args) {
        return Cli.run(Arrays.stream(args)
                .map(arg -> arg.startsWith("@") ? temp + "/" + arg.substring(1) : arg)
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"group#a#b", "group#/a#b", "group#deep/#c", "odd#name.zarr", "odd#name.zarr#x"})
    void aNumberSignMayBePartOfAName(String place) throws IOException, InterruptedException {
        write("group", "a#b", 1);
        write("group", "deep/#c", 1);
        write("odd#name.zarr", "x", 1);
        Cli cli = run("info", "@" + place, "--json");
        assertEquals(0, cli.status(), cli.err());
    }

    @Test
    void aSecondNumberSignIsNoSeparator() throws IOException, InterruptedException {
        write("group", "deep/c", 1);
        Cli cli = run("info", "@group#deep#c");
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains("group#deep/c"), cli.err());
        assertTrue(cli.err().contains("separated by /"), cli.err());
    }

    @Test
    void aServerThatIsNotThereIsRefused() {
        Cli cli = run("info", "http://host.invalid/x.zarr");
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains("the host is not known"), cli.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/zarr.json", "a/c/0", "link", "a/new"})
    void additionalFilesDoNotReplacePartsOfTheSource(String file) throws IOException, InterruptedException {
        write("a", "", 1);
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("a/c/0"));
        String place = temp.resolve(file).toString();
        for (String option : new String[] {"--html=" + place, "--checksums=" + place, "--save=" + place}) {
            Cli cli = run("copy", "@a", "@out", option, "--chunks", "keep", "--max-mem", "1MB");
            assertEquals(2, cli.status(), cli.err());
            assertTrue(cli.err().contains(place), cli.err());
            assertTrue(cli.err().contains("; name a file outside of it"), cli.err());
        }
        assertTrue(Files.notExists(temp.resolve("out")));
        assertTrue(Files.notExists(temp.resolve("a/new")));
        assertEquals(
                0,
                run("copy", "@a", "@out", "--chunks", "keep", "--max-mem", "1MB", "--verify")
                        .status());
    }

    @ParameterizedTest
    @CsvSource({"--html, --checksums", "--html, --save", "--checksums, --save"})
    void additionalFilesAreDifferent(String one, String other) throws IOException, InterruptedException {
        write("a", "", 1);
        Files.createSymbolicLink(temp.resolve("link"), temp);
        String place = temp.resolve("beside").toString();
        String same = temp.resolve("link/beside").toString();
        Cli cli = run(
                "copy", "@a", "@out", one + "=" + place, other + "=" + same, "--chunks", "keep", "--max-mem", "1MB");
        assertEquals(2, cli.status(), cli.err());
        assertTrue(
                cli.err().contains(one + " " + place + " and " + other + " " + same + " are the same file"), cli.err());
        assertTrue(Files.notExists(temp.resolve("out")));
        assertTrue(Files.notExists(temp.resolve("beside")));
    }

    @Test
    void targetCanBeInDirectoryWithNumberSign() throws IOException, InterruptedException {
        write("a", "", 1);
        Files.createDirectory(temp.resolve("run#3"));
        for (String target : new String[] {"@run#3/out", "@out#run/3", "@out#3"}) {
            assertEquals(
                    0,
                    run("copy", "@a", target, "--chunks", "keep", "--max-mem", "1MB")
                            .status());
        }
        assertTrue(Files.exists(temp.resolve("run#3/out/zarr.json")));
        assertTrue(Files.exists(temp.resolve("out/run/3/zarr.json")));
        assertTrue(Files.exists(temp.resolve("out/3/zarr.json")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"g[1]-* | 1", "h{a,b}-* | 4", "i?-* | 6", "q#* | 7"})
    void aStarIsAllThatIsSpecialInAName(String pattern, int first) throws IOException, InterruptedException {
        write("g[1]-a", "", 1);
        write("g1-a", "", 2);
        write("ha-b", "", 3);
        write("h{a,b}-a", "", 4);
        write("ix-a", "", 5);
        write("i?-a", "", 6);
        write("q#a", "", 7);
        Cli cli = run("copy", "@" + pattern, "@out", "--concat", "0", "--chunks", "-1", "--max-mem", "1MB");
        assertEquals(0, cli.status(), cli.err());
        write("expected", "", first);
        assertEquals(0, run("verify", "@out", "@expected").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"y-*#a#b", "q#*#a#b", "q#*#c", "q#1#c"})
    void aNodeOfFilesThatAStarNamesMayHaveANumberSign(String pattern) throws IOException, InterruptedException {
        for (String store : new String[] {"y-1", "q#1"}) {
            write(store, "a#b", 1);
            write(store, "c", 1);
        }
        Cli cli = run("copy", "@" + pattern, "@out", "--concat", "0", "--chunks", "-1", "--max-mem", "1MB");
        assertEquals(0, cli.status(), cli.err());
    }

    @Test
    void patternWithoutMatchIsPrintedAsGiven() {
        Cli cli = run("copy", "@z[1]-*", "@out", "--concat", "0", "--chunks", "-1", "--max-mem", "1MB");
        assertEquals(2, cli.status());
        assertTrue(cli.err().contains("matches \"z[1]-*\""), cli.err());
    }

    @Test
    void unreadableNodesAreNamedAndOthersAreListed() throws IOException, InterruptedException {
        for (String store : new String[] {"one", "other"}) {
            write(store, "good", 1);
            write(store, "bad", 1);
        }
        Files.writeString(temp.resolve("one/bad/zarr.json"), "{");
        for (String[] order : new String[][] {{"@one", "@other"}, {"@other", "@one"}}) {
            Cli verify = run("verify", order[0], order[1]);
            assertEquals(1, verify.status(), verify.err());
            assertTrue(verify.out().startsWith("not compared: bad: "), verify.out());
            assertEquals(1, verify.out().lines().count(), verify.out());
        }
        Files.delete(temp.resolve("other/good/zarr.json"));
        // also from the consolidated metadata
        Files.writeString(temp.resolve("other/zarr.json"), "{\"zarr_format\":3,\"node_type\":\"group\"}");
        assertTrue(run("verify", "@one", "@other").out().contains("different: good: there is no array"));
        Cli info = run("info", "@one", "--json");
        assertEquals(0, info.status(), info.err());
        assertEquals(2, info.json().getAsJsonArray("arrays").size());
        assertTrue(run("info", "@one").out().contains("bad"));
    }

    @Test
    void sizesBeyondLongArePrintedOrRefused() throws IOException {
        Files.createDirectories(temp.resolve("huge"));
        Files.writeString(
                temp.resolve("huge/.zarray"),
                "{\"zarr_format\":2,\"shape\":[4611686018427387904],\"chunks\":[1048576],\"dtype\":\"<i4\","
                        + "\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
        Cli info = run("info", "@huge", "--json");
        assertEquals("18446744073709551616", info.json().get("bytes").getAsString(), info.err());
        Cli verify = run("verify", "@huge", "@huge");
        assertEquals(2, verify.status());
        assertTrue(verify.err().contains("huge has more than 2^63 bytes"), verify.err());
    }

    @Test
    void rulesWithoutMatchAreRefused() throws IOException, InterruptedException {
        write("group", "v", 1);
        String[] copy = {"copy", "@group", "@out", "--max-mem", "1MB", "--rule", "/v=2", "--rule", "**=3"};
        assertEquals(0, run(copy).status());
        Cli cli = run("copy", "@group", "@none", "--max-mem", "1MB", "--rule", "vv=2");
        assertEquals(
                "rechunk: no array matches --rule vv=2; the arrays are [v]",
                cli.err().strip());
        assertEquals(2, cli.status());
        assertTrue(Files.notExists(temp.resolve("none")));
        Cli array = run("copy", "@group#v", "@none", "--max-mem", "1MB", "--rule", "v=2");
        assertTrue(array.err().contains("no array matches --rule v=2; " + temp + "/group#v is one array"), array.err());
    }

    @Test
    void ruleCanMatchArrayThatIsLeftOut() throws IOException, InterruptedException {
        write("group", "v", 1);
        ArraySpec complex = ArraySpec.builder(SPEC.chunks(), DataType.COMPLEX64).build();
        Fixtures.write(temp.resolve("group"), "c", complex, new byte[24]);
        Cli cli = run("copy", "@group", "@out.n5", "--max-mem", "1MB", "--rule", "c=2", "--rule", "v=2");
        assertEquals(4, cli.status(), cli.err());
        assertTrue(cli.err().contains("group#c: cannot be stored in"), cli.err());
    }

    @Test
    void joinOptionsNeedJoinedSources() throws IOException, InterruptedException {
        write("a", "", 1);
        Cli alone = run("copy", "@a", "@out", "--chunks", "1", "--max-mem", "1MB", "--keep-first", "units");
        assertEquals(2, alone.status());
        assertTrue(alone.err().contains("--keep-first is only for sources that are joined"), alone.err());
        Cli open = run("copy", "@a", "@out", "--chunks", "1", "--max-mem", "1MB", "--open", "5");
        assertTrue(open.err().contains("--open is only for sources that are joined"), open.err());
        Cli empty = run("copy", "@a", "@out", "--chunks", "1", "--max-mem", "1MB", "--concat", "");
        assertTrue(empty.err().contains("--concat \"\" does not name an axis"), empty.err());
        Cli unnamed = run("copy", "@a", "@out", "--chunks", "1", "--max-mem", "1MB", "--stack", "");
        assertEquals(2, unnamed.status());
        assertTrue(unnamed.err().contains("the new axis \"\" has no name"), unnamed.err());
        Fixtures.write(temp.resolve("b"), "", Fixtures.spec().build());
        Fixtures.write(
                temp.resolve("c"),
                "",
                Fixtures.spec().attributes(Map.of("units", "km")).build());
        Cli differ = run("copy", "@b", "@c", "@out", "--chunks", "keep", "--max-mem", "1MB", "--concat", "t");
        assertEquals(2, differ.status());
        assertTrue(
                differ.err()
                        .contains("if the meaning is the same, use the first one's attribute with --keep-first units"),
                differ.err());
    }

    @Test
    void damagedZipFilesAreNamed() throws IOException {
        Files.write(temp.resolve("cut.zip"), new byte[] {'P', 'K', 3, 4, 20, 0, 0, 0});
        Cli cli = run("info", "@cut.zip");
        assertTrue(cli.err().contains("cut.zip is not a readable zip file"), cli.err());
    }
}
