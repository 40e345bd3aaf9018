package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyCommandTest {
    @TempDir
    Path temp = Path.of("");

    private String source = "";
    private String target = "";

    @BeforeEach
    void write() throws IOException, InterruptedException {
        source = temp.resolve("a.zarr").toString();
        target = temp.resolve("b.zarr").toString();
        Fixtures.write(Path.of(source), "", Fixtures.spec().build());
    }

    private Cli copy(String... more) {
        return copyFrom(source, target, more);
    }

    private static Cli copyFrom(String from, String to, String... more) {
        List<String> args = new ArrayList<>(List.of("copy", from, to));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void drawsPlanAndRun() throws IOException {
        Path page = temp.resolve("run.html");
        String[] options = {"--chunks", "t=-1, y=3, x=7", "--max-mem", "40MB", "--html", page.toString()};
        List<String> dry = new ArrayList<>(List.of(options));
        dry.add("--dry-run");
        assertEquals(0, copy(dry.toArray(String[]::new)).status());
        String planned = Files.readString(page);
        assertTrue(planned.contains("a.zarr to "), planned);
        assertFalse(planned.contains("throughput"), planned);
        assertEquals(0, copy(options).status());
        String run = Files.readString(page);
        assertTrue(run.contains("a.zarr to ") && run.contains("throughput"), run);
    }

    @Test
    void refusesInvalidFilesBeforeCopying() {
        for (String option : List.of("--html=", "--checksums=", "--save=")) {
            for (Path place : List.of(temp, temp.resolve("missing").resolve("file"))) {
                Cli cli = copy("--chunks", "t=-1, y=3, x=7", "--max-mem", "40MB", option + place);
                assertEquals(2, cli.status(), cli.err());
                assertTrue(cli.err().contains(place.toString()), cli.err());
                assertTrue(option.equals("--save=") || cli.err().contains("cannot be a file"), cli.err());
                assertFalse(Files.exists(Path.of(target)));
            }
        }
    }

    /** What the copy would refuse, its dry run refuses. */
    @Test
    void dryRunsRefuseWhatTheCopyRefuses() {
        for (String dry : new String[] {"--verify", "--dry-run"}) {
            Cli cli = copyTo("durable.h5#x", "--chunks", "keep", "--max-mem", "40MB", "--durable", dry);
            assertEquals(2, cli.status(), cli.err());
            assertTrue(cli.err().contains("leave out --durable"), cli.err());
            String name = "x".repeat(300);
            for (String option : new String[] {"--html", "--checksums", "--spill", "--save"}) {
                cli = copyTo("b.zarr", "--chunks", "keep", "--max-mem", "40MB", option + "=" + temp.resolve(name), dry);
                assertEquals(2, cli.status(), cli.err());
                assertTrue(cli.err().contains("choose shorter names"), cli.err());
            }
            for (String place : new String[] {name, name + ".h5", name + ".n5", "b/" + name + "/c"}) {
                cli = copyTo(place, "--chunks", "keep", "--max-mem", "40MB", dry);
                assertEquals(2, cli.status(), cli.err());
                assertTrue(cli.err().contains("choose shorter names"), cli.err());
            }
        }
        assertFalse(Files.exists(temp.resolve("b.zarr")));
    }

    private Cli copyTo(String place, String... options) {
        List<String> args =
                new ArrayList<>(List.of("copy", source, temp.resolve(place).toString()));
        args.addAll(List.of(options));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void everyOptionOfAJobIsInTheHelpAndOnThePage() throws IOException {
        String help = Cli.run("copy", "--help").out();
        String page = Files.readString(Path.of("../../docs/command-line.md"));
        for (Rechunker.OptionInfo option : Rechunker.options()) {
            String name = option.name().startsWith("checksum-") ? "--checksums[=FILE" : "--" + option.name();
            assertTrue(help.contains("      " + name), name);
            assertTrue(page.contains("`" + name), name);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--format=zarr2",
                "--format=zarr3",
                "--format=zarr3 --shards=12,10,7",
                "--format=zarr2 --codec=blosc:cname=lz4",
                "--codec=none",
                "--executor=serial",
                "--threads=3 --no-spill",
                "--write-empty-chunks --verify=0.5 --retries=1"
            })
    void copiesWhatVerifiesAsTheSame(String options) {
        List<String> args = new ArrayList<>(List.of("--chunks", "t=-1, y=3, x=7", "--max-mem", "40MB", "--json"));
        args.addAll(List.of(options.split(" ")));
        Cli cli = copy(args.toArray(String[]::new));
        assertEquals(0, cli.status(), cli.err());
        JsonObject report = cli.json();
        assertEquals(
                Set.of(
                        "seconds",
                        "projectedMemory",
                        "measuredMemory",
                        "bytesRead",
                        "bytesWritten",
                        "storedBytesRead",
                        "storedBytesWritten",
                        "readRequests",
                        "writeRequests",
                        "spillPeakBytes",
                        "sourceChunkReads",
                        "tasks",
                        "tasksDoneBefore",
                        "retries",
                        "corrupt",
                        "elementsVerified",
                        "checksums",
                        "contents",
                        "losses"),
                report.keySet());
        assertTrue(report.get("measuredMemory").getAsLong()
                <= report.get("projectedMemory").getAsLong());
        Cli verified = Cli.run("verify", source, target);
        assertEquals(0, verified.status(), verified.out() + verified.err());
        JsonObject info = Cli.run("info", target, "--json").json();
        assertEquals("[12,3,7]", info.get("chunks").toString());
        assertEquals("[\"t\",\"y\",\"x\"]", info.get("dimensionNames").toString());
        assertEquals("{\"units\":\"m\"}", info.get("attributes").toString());
        assertEquals(
                options.contains("zarr2") ? "zarr2" : "zarr3",
                info.get("format").getAsString());
        assertEquals(options.contains("shards"), !info.get("shards").isJsonNull());
    }

    @Test
    void measuredProfileCanBeGivenAsOption() throws IOException {
        Cli measured = copy("--chunks", "12,5,7", "--max-mem", "40MB", "--calibrate", "--dry-run");
        assertEquals(0, measured.status(), measured.err());
        String profile = measured.err()
                .lines()
                .filter(line -> line.startsWith("--profile "))
                .findFirst()
                .orElseThrow()
                .substring("--profile ".length());
        Cli told = copy("--chunks", "12,5,7", "--max-mem", "40MB", "--profile", profile, "--dry-run");
        assertEquals(0, told.status(), told.err());
        assertEquals(
                2,
                copy("--chunks=1,1,1", "--max-mem=1MB", "--calibrate", "--resume")
                        .status());
        Cli bad = copy("--chunks=1,1,1", "--max-mem=1MB", "--profile=ssd:speed=1");
        assertEquals(2, bad.status());
        assertTrue(bad.err().contains("speed"), bad.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "S S --concat t T --chunks 4,4,4 --max-mem 40MB",
                "S --concat t S --chunks 4,4,4 T --max-mem 40MB",
                "--concat=t S --chunks 4,4,4 --verify S --checksums --max-mem 40MB T",
                "--concat t --chunks 4,4,4 S --max-mem 40MB -- S T"
            })
    void placesMayBeAnywhereBetweenOptions(String arguments) {
        List<String> args = new ArrayList<>(List.of(("copy " + arguments).split(" ")));
        args.replaceAll(arg -> arg.equals("S") ? source : arg.equals("T") ? target : arg);
        Cli cli = Cli.run(args.toArray(String[]::new));
        assertEquals(0, cli.status(), cli.err());
        assertEquals(
                "[24,10,14]",
                Cli.run("info", target, "--json").json().get("shape").toString());
    }

    @Test
    void planIsPrintedAndNothingWritten() {
        Cli text = copy("--chunks", "12,5,7", "--max-mem", "40MB", "--dry-run");
        assertEquals(0, text.status(), text.err());
        assertTrue(text.out().contains("what:   6.72 kB, chunks of (2, 10, 14) become (12, 5, 7)\n"), text.out());
        assertTrue(text.out().contains("spill:  none"), text.out());
        assertFalse(text.out().contains("strategy"), text.out());
        Cli explained = copy("--chunks", "12,5,7", "--max-mem", "40MB", "--dry-run", "--explain");
        assertTrue(explained.out().contains("strategy "), explained.out());
        assertTrue(explained.out().contains("\nwhy: "), explained.out());
        Cli json = copy("--chunks", "12,5,7", "--max-mem", "40MB", "--dry-run", "--json");
        assertTrue(json.json().has("strategy"), json.out());
        assertFalse(Files.exists(Path.of(target)));
    }

    @Test
    void maxMemIsKeptOrRefused() {
        Cli cli = copy("--chunks", "12,10,14", "--max-mem", "1kB", "--dry-run", "--json");
        assertEquals(2, cli.status());
        assertTrue(cli.json().has("minimumMemory"), cli.out());
        assertTrue(cli.err().contains("the least possible maxMem"), cli.err());
        assertEquals(2, copy("--chunks", "12,10,14", "--max-mem", "1kB").status());
        assertFalse(Files.exists(Path.of(target)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--verify", "--checksums", "--verify --checksums"})
    void theLeastBoundOfAPlanDoesForWhatFollowsTheCopyToo(String options) {
        List<String> args = new ArrayList<>(List.of("--chunks=12,10,14", "--format=n5", "--dry-run", "--json"));
        args.addAll(List.of(options.split(" ")));
        args.add("--max-mem=40MB");
        Cli ample = copy(args.toArray(String[]::new));
        assertEquals(0, ample.status(), ample.err());
        long least = ample.json().get("minimumMemory").getAsLong();
        args.set(args.size() - 1, "--max-mem=" + least);
        assertEquals(0, copy(args.toArray(String[]::new)).status());
        args.set(args.size() - 1, "--max-mem=" + (least - 1));
        Cli refused = copy(args.toArray(String[]::new));
        assertEquals(2, refused.status(), refused.out());
        assertEquals(least, refused.json().get("minimumMemory").getAsLong());
    }

    /** As in {@code Rechunker.copy}. */
    @Test
    void theLimitIsHalfOfTheHeapByDefault() {
        ByteSize half = ByteSize.parse("50%");
        Cli planned = copy("--chunks", "12,5,7", "--dry-run");
        assertTrue(planned.out().contains(" of maxMem " + half), planned.out());
        Cli copied = copy("--chunks", "12,5,7");
        assertEquals(0, copied.status(), copied.err());
        assertTrue(copied.out().contains("allowed " + half), copied.out());
    }

    @Test
    void targetIsReplacedOnlyWithOverwrite() {
        String[] args = {"--chunks", "12,5,7", "--max-mem", "40MB"};
        assertEquals(0, copy(args).status());
        Cli again = copy(args);
        assertEquals(2, again.status());
        assertTrue(again.err().contains("--overwrite"), again.err());
        assertEquals(
                0, copy("--chunks", "4,4,4", "--max-mem", "40MB", "--overwrite").status());
        assertEquals(0, Cli.run("verify", source, target).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--chunks=1,2 --max-mem=1MB",
                "--chunks=0,1,1 --max-mem=1MB",
                "--chunks=q=5 --max-mem=1MB",
                "--chunks=1,1,1 --max-mem=much",
                "--chunks=1,1,1 --max-mem=1MB --format=n6",
                "--chunks=1,1,1 --max-mem=1MB --codec=rot13",
                "--chunks=4,4,4 --max-mem=1MB --shards=6,6",
                "--chunks=1,1,1 --max-mem=1MB --executor=magic",
                "--chunks=1,1,1 --max-mem=1MB --executor=serial --threads=4",
                "--chunks=1,1,1 --max-mem=1MB --threads=0",
                "--chunks=1,1,1 --max-mem=1MB --spill=/tmp --no-spill",
                "--chunks=1,1,1 --max-mem=1MB --spill=https://host/tmp",
                "--chunks=1,1,1 --max-mem=1MB --spill=gopher://host/tmp",
                "--chunks=1,1,1 --max-mem=1MB --workers=2 --save=gopher://host/plan.json",
                "--chunks=1,1,1 --max-mem=1MB --workers=2 --save=s3://bucket",
                "--chunks=1,1,1 --max-mem=1MB --unknown",
                "--chunks=1,1,1 --max-mem=1MB --format=n5 --axes=z,y,x",
                "--chunks=1,1,1 --max-mem=1MB --concat=t --stack=u",
                "--chunks=1,1,1 --max-mem=1MB --concat=nowhere",
                "--chunks=1,1,1 --max-mem=1MB --concat=t --open=0",
                "--chunks=1,1,1 --max-mem=1MB --format=ome-zarr --axes=y,x",
                "--chunks=1,1,1 --max-mem=1MB --format=ome-zarr --axes=z,y,x --scale=1,2",
                "--chunks=1,1,1 --max-mem=1MB --format=ome-zarr --axes=z,y,x --scale=1,0,1",
                "--chunks=1,1,1 --max-mem=1MB --format=ome-zarr --axes=z,y,x --units=furlong,,",
                "--chunks=1,1,1 --max-mem=1MB --axes=z,y,x",
                "--chunks=1,1,1 --max-mem=1MB --scale=1,1,1 --format=zarr3",
                "--rule=1,1,1 --max-mem=1MB",
                "--rule==1,1,1 --max-mem=1MB",
                "--max-mem=1MB"
            })
    void refusesWhatMakesNoSense(String options) {
        Cli cli = copy(options.split(" "));
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().startsWith("rechunk: "), cli.err());
        assertEquals(1, cli.err().lines().count(), cli.err());
        assertFalse(Files.exists(Path.of(target)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://", "gopher://host/x.zarr", "file:///tmp/x.zarr"})
    void refusesAMalformedPlaceOnEitherSide(String place) {
        assertRefused(copyFrom(place, target, "--chunks=1,1,1", "--max-mem=1MB"));
        assertRefused(copyFrom(source, place, "--chunks=1,1,1", "--max-mem=1MB"));
    }

    private static void assertRefused(Cli cli) {
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().startsWith("rechunk: "), cli.err());
    }

    @Test
    void refusesOffsetBeyondTheEnd() throws IOException, InterruptedException {
        Fixtures.write(Path.of(target), "", Fixtures.spec().build());
        Cli cli = copy("--max-mem=1MB", "--into", "--at=9223372036854775807,0,0");
        assertRefused(cli);
        assertTrue(cli.err().contains("is not inside of " + target), cli.err());
    }

    @Test
    void refusesShardsBeyondLong() {
        Cli cli = copy("--chunks=7,7,7", "--max-mem=1MB", "--format=zarr3", "--shards=9223372036854775807,7,7");
        assertRefused(cli);
        assertTrue(cli.err().contains("in shards of (9223372036854775807, 7, 7)"), cli.err());
        assertTrue(cli.err().contains("its sizes exceed 2^63"), cli.err());
    }

    @Test
    void refusesToCopyAFileOntoItself() throws IOException {
        Path container = temp.resolve("d.n5");
        Path file = container.resolve("1/1/1");
        Cli array = copyFrom(source, container.toString(), "--chunks=4,4,4", "--max-mem=9MB");
        assertEquals(0, array.status(), array.err());
        Files.delete(file);
        Cli chunk = copyFrom(source, file.toString(), "--format=hdf5", "--chunks=4,4,4", "--max-mem=9MB");
        assertEquals(0, chunk.status(), chunk.err());
        byte[] before = Files.readAllBytes(file);
        Cli cli = copyFrom(file + "#data", container.toString(), "--chunks=4,4,4", "--max-mem=9MB", "--overwrite");
        assertRefused(cli);
        assertTrue(cli.err().contains("the same place, or one is inside the other"), cli.err());
        assertArrayEquals(before, Files.readAllBytes(file));
    }

    @Test
    void refusesInvalidLocations() throws IOException {
        String[] args = {"--chunks", "4,4,4", "--max-mem", "1MB"};
        assertEquals(2, copyFrom(temp.resolve("none").toString(), target, args).status());
        assertEquals(2, copyFrom(source + "#none", target, args).status());
        assertEquals(2, copyFrom(source, source, args).status());
        Path file = Files.writeString(temp.resolve("file"), "text");
        assertEquals(2, copyFrom(source, file.toString(), args).status());
        assertEquals("text", Files.readString(file));
        assertEquals(
                2,
                copyFrom(source, file.toString(), "--format", "hdf5", "--chunks", "4,4,4", "--max-mem", "1MB")
                        .status());
        Path objects = Files.createDirectory(temp.resolve("objects"));
        Files.writeString(
                objects.resolve(".zarray"),
                "{\"zarr_format\":2,\"shape\":[3],\"chunks\":[2],\"dtype\":\"|O\",\"order\":\"C\","
                        + "\"fill_value\":null,\"compressor\":null,\"filters\":null}");
        for (String to : List.of("objects.zarr", "objects.h5")) {
            Cli refused = copyFrom(objects.toString(), temp.resolve(to).toString(), "--chunks=3", "--max-mem=1MB");
            assertEquals(2, refused.status(), refused.err());
            assertTrue(refused.err().contains("|O"), refused.err());
        }
        Path foreign = Files.createDirectory(temp.resolve("foreign"));
        Files.writeString(foreign.resolve("file"), "text");
        Cli cli = copyFrom(source, foreign.toString(), args);
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains("it was not changed, write elsewhere"), cli.err());
        try (Stream<Path> left = Files.list(foreign)) {
            assertEquals(List.of(foreign.resolve("file")), left.toList());
        }
    }

    @Test
    void damagedChunkFailsTheRun() throws IOException {
        Files.writeString(Path.of(source, "c", "3", "0", "0"), "damaged");
        Cli cli = copy("--chunks", "12,5,7", "--max-mem", "40MB");
        assertEquals(3, cli.status());
        assertTrue(cli.err().lines().reduce((a, b) -> b).orElseThrow().startsWith("rechunk: "), cli.err());
        assertTrue(cli.err().contains("c/3/0/0"), cli.err());
        assertFalse(Files.exists(Path.of(target, "zarr.json")));
    }

    @Test
    void copiesGroupsAndNodes() throws IOException, InterruptedException {
        String group = temp.resolve("g.zarr").toString();
        ArraySpec vector = ArraySpec.builder(ChunkGrid.regular(Shape.of(20), Shape.of(20)), DataType.INT32)
                .build();
        Fixtures.write(Path.of(group), "deep/one", Fixtures.spec().build());
        Fixtures.write(Path.of(group), "two", vector);

        JsonObject plan = copyFrom(group, target, "--chunks", "keep", "--max-mem", "1MB", "--dry-run", "--json")
                .json();
        assertEquals(2, plan.getAsJsonArray("arrays").size());
        assertEquals(
                "deep/one",
                plan.getAsJsonArray("arrays")
                        .get(0)
                        .getAsJsonObject()
                        .get("path")
                        .getAsString());

        Cli cli = copyFrom(group, target, "--chunks", "1kB", "--max-mem", "40MB");
        assertEquals(0, cli.status(), cli.err());
        assertEquals(0, Cli.run("verify", group, target).status());
        assertEquals(
                2,
                Cli.run("info", target, "--json")
                        .json()
                        .getAsJsonArray("arrays")
                        .size());

        assertEquals(
                0,
                copyFrom(source, target + "#deep/three", "--chunks", "4,4,4", "--max-mem", "40MB")
                        .status());
        assertEquals(0, Cli.run("verify", source, target + "#deep/three").status());
        Cli verified = Cli.run("verify", group, target);
        assertEquals(1, verified.status());
        assertTrue(verified.out().contains("deep/three: there is no array"), verified.out());
    }

    @Test
    void rulesApplyToSomeArraysAndChunksToOthers() throws IOException, InterruptedException {
        String group = temp.resolve("g.zarr").toString();
        for (String path : List.of("a/0", "a/1", "b/0", "c")) {
            Fixtures.write(Path.of(group), path, Fixtures.spec().build());
        }
        String[] rules = {"--rule", "a/*=t=-1, ...=2", "--rule", "**/0=3,3,3", "--max-mem", "10MB"};
        assertEquals(0, copyFrom(group, target, rules).status());
        assertEquals("[[12,2,2],[12,2,2],[3,3,3],[2,10,14]]", chunks(target));
        List<String> more = new ArrayList<>(List.of(rules));
        more.addAll(List.of("--chunks", "1,1,1", "--overwrite"));
        String other = temp.resolve("c.zarr").toString();
        assertEquals(0, copyFrom(group, other, more.toArray(String[]::new)).status());
        assertEquals("[[12,2,2],[12,2,2],[3,3,3],[1,1,1]]", chunks(other));
    }

    private static String chunks(String group) {
        List<String> chunks = new ArrayList<>();
        Cli.run("info", group, "--json")
                .json()
                .getAsJsonArray("arrays")
                .forEach(array ->
                        chunks.add(array.getAsJsonObject().get("chunks").toString()));
        return chunks.toString().replace(" ", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ome-zarr", "ome-zarr-0.4"})
    void writesImages(String format) throws IOException {
        Cli cli = copy(
                "--chunks=4,5,7",
                "--max-mem=40MB",
                "--format=" + format,
                "--axes=z,y,x",
                "--scale=2,0.5,0.5",
                "--units=,um,um",
                "--strict",
                "--json");
        assertEquals(0, cli.status(), cli.err());
        assertEquals("[]", cli.json().getAsJsonArray("losses").toString());
        assertEquals(0, Cli.run("verify", source, target + "#0").status());
        JsonObject image = Cli.run("info", target, "--json")
                .json()
                .getAsJsonArray("multiscales")
                .get(0)
                .getAsJsonObject();
        assertEquals(
                "[\"z\",\"y (micrometer)\",\"x (micrometer)\"]",
                image.get("axes").toString());
        assertEquals("[\"0\"]", image.get("levels").toString());
        String text = Cli.run("info", target).out();
        assertTrue(text.contains("image:      z, y (micrometer), x (micrometer); levels 0"), text);
        String again = temp.resolve("again").toString();
        Cli copied = copyFrom(target, again, "--chunks=keep", "--max-mem=40MB", "--format=ome-zarr-0.4");
        assertEquals(0, copied.status(), copied.err());
        assertEquals(0, Cli.run("verify", target, again).status());
    }

    @Test
    void printsLossesAndRefusesThemIfStrict() {
        String sharded = temp.resolve("sharded").toString();
        assertEquals(
                0, copy("--chunks=4,5,7", "--shards=12,10,7", "--max-mem=40MB").status());
        String[] args = {"--chunks=keep", "--max-mem=40MB", "--format=zarr2"};
        String loss = target + ": the shards become none instead of (12, 10, 7)";
        Cli strict = copyFrom(target, sharded, "--chunks=keep", "--max-mem=40MB", "--format=zarr2", "--strict=layout");
        assertEquals(2, strict.status());
        assertTrue(strict.err().contains(loss), strict.err());
        assertFalse(Files.exists(Path.of(sharded)));
        Cli plan =
                copyFrom(target, sharded, "--chunks=keep", "--max-mem=40MB", "--format=zarr2", "--dry-run", "--json");
        assertEquals(1, plan.json().getAsJsonArray("losses").size());
        Cli cli = copyFrom(target, sharded, args);
        assertEquals(0, cli.status(), cli.err());
        assertFalse(cli.err().contains(loss), cli.err());
        assertEquals(0, Cli.run("verify", source, sharded).status());
        String again = temp.resolve("again").toString();
        Cli verbose =
                copyFrom(target, again, "--chunks=keep", "--max-mem=40MB", "--format=zarr2", "--strict", "--verbose");
        assertEquals(0, verbose.status(), verbose.err());
        assertTrue(verbose.err().contains("stored otherwise: " + loss), verbose.err());
    }

    @Test
    void theExitStatusTellsOfArraysThatAreLeftOut() throws Exception {
        Path group = temp.resolve("group");
        Fixtures.write(group, "a", Fixtures.spec().build());
        String text = Files.readString(group.resolve("a/zarr.json"))
                .replaceAll("\"data_type\"\\s*:\\s*\"[a-z0-9]+\"", "\"data_type\": \"string\"");
        Files.createDirectories(group.resolve("names"));
        Files.writeString(group.resolve("names/zarr.json"), text);
        Cli cli = copyFrom(group.toString(), target, "--chunks=keep", "--max-mem=40MB");
        assertEquals(4, cli.status(), cli.err());
        assertTrue(cli.err().contains("warning: " + group + "#names: is not understood, and left out: "), cli.err());
        assertEquals(0, Cli.run("verify", group + "#a", target + "#a").status());
        Cli strict = copyFrom(group.toString(), target, "--chunks=keep", "--max-mem=40MB", "--overwrite", "--strict");
        assertEquals(2, strict.status(), strict.err());
        Cli skipped = copyFrom(
                group.toString(), target, "--chunks=keep", "--max-mem=40MB", "--overwrite", "--strict", "--skip=n*");
        assertEquals(0, skipped.status(), skipped.err());
        String other = temp.resolve("other").toString();
        Cli nothing = copyFrom(group.toString(), other, "--chunks=keep", "--max-mem=40MB", "--skip", "a");
        assertEquals(2, nothing.status(), nothing.err());
        assertTrue(nothing.err().contains("nothing of " + group + " can be copied to "), nothing.err());
        assertFalse(Files.exists(Path.of(other)));
    }

    @Test
    void corruptChunksFailTheRunOrAreFilledWhenItIsResumed() throws IOException {
        Path chunk;
        try (var files = Files.walk(Path.of(source))) {
            chunk = files.filter(
                            file -> Files.isRegularFile(file) && file.toString().contains("c/"))
                    .sorted()
                    .reduce((first, second) -> second)
                    .orElseThrow();
        }
        Files.write(chunk, new byte[] {1, 2, 3});
        Cli failed = copy("--chunks", "4,4,4", "--max-mem", "40MB", "--retries", "0");
        assertEquals(3, failed.status(), failed.err());

        Cli filled = copy("--chunks", "4,4,4", "--max-mem", "40MB", "--on-corrupt", "fill", "--resume", "--json");
        assertEquals(0, filled.status(), filled.err());
        assertEquals(1, filled.json().getAsJsonArray("corrupt").size());

        Cli again = copy("--chunks", "4,4,4", "--max-mem", "40MB", "--resume");
        assertEquals(2, again.status());
        assertTrue(again.err().contains("exists; ") && again.err().contains("with --overwrite"), again.err());
        Cli odd = copy("--chunks", "4,4,4", "--max-mem", "40MB", "--on-corrupt", "ignore");
        assertEquals(2, odd.status());
        assertTrue(odd.err().contains("write fail or fill"), odd.err());
        Cli negative = copy("--chunks", "4,4,4", "--max-mem", "40MB", "--retries", "-1");
        assertEquals(2, negative.status());
    }

    @Test
    void durableCopyNeedsStoreThatSupportsIt() {
        assertEquals(
                0, copy("--chunks", "4,4,4", "--max-mem", "40MB", "--durable").status());
        Cli hdf5 = copyFrom(
                source, temp.resolve("b.h5").toString(), "--chunks", "4,4,4", "--max-mem", "40MB", "--durable");
        assertEquals(2, hdf5.status());
        assertTrue(hdf5.err().contains("leave out --durable"), hdf5.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--html", "--checksums"})
    @EnabledOnOs(OS.LINUX)
    void additionalFileThatDoesNotFitOnTheDeviceIsNamed(String option) {
        Cli cli = copy("--chunks", "4,4,4", "--max-mem", "40MB", option + "=/dev/full");
        assertEquals(3, cli.status(), cli.err());
        assertTrue(cli.err().contains("cannot be written"), cli.err());
        assertTrue(cli.err().contains("/dev/full"), cli.err());
        assertTrue(cli.err().contains("No space left on device; the copy is complete"), cli.err());
        assertFalse(cli.err().contains("target's device"), cli.err());
        assertEquals(0, Cli.run("verify", source, target).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--html", "--checksums"})
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aFileBesideTakesNothingFromOthersThatAreTheSameFile(String option) throws IOException {
        Path chunk;
        try (Stream<Path> files = Files.walk(Path.of(source))) {
            chunk = files.filter(file -> file.toString().contains("/c/") && Files.isRegularFile(file))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] before = Files.readAllBytes(chunk);
        Path beside = Files.createLink(temp.resolve("beside"), chunk);
        assertEquals(
                0,
                copy("--chunks", "4,4,4", "--max-mem", "40MB", option + "=" + beside)
                        .status());
        assertArrayEquals(before, Files.readAllBytes(chunk));
        assertFalse(Files.isSameFile(chunk, beside));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void planThatCannotBeSavedLeavesNothing() throws IOException {
        Path plan = temp.resolve("p".repeat(240) + ".json"); // no name for a temporary file next to it
        Cli cli = copy("--chunks", "4,4,4", "--max-mem", "40MB", "--save=" + plan);
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains("the plan cannot be written to " + plan + ": File name too long"), cli.err());
        assertFalse(Files.exists(plan));
        assertFalse(Files.exists(Path.of(target)));
    }

    @ParameterizedTest
    @ValueSource(strings = {".nc", ".nc4", ".h5", ".he5", ".HDF5", ".h5ad"})
    void theEndingOfTheTargetDecides(String ending) throws IOException {
        Path file = temp.resolve("out" + ending);
        Cli cli = copyFrom(source, file.toString(), "--chunks", "4,4,4", "--max-mem", "40MB");
        assertEquals(0, cli.status(), cli.err());
        assertTrue(Files.isRegularFile(file));
        assertEquals(0, Cli.run("verify", source, file + "#data").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "out.PNG",
                "out.npy",
                "out.grib2",
                "out.netcdf",
                "out.ncf",
                "out.nc5",
                "out.nc.gz",
                "out.zarr.tar",
                "out.7z"
            })
    void endingsOfFormatsThatAreNotWrittenAreRefused(String name) {
        Path file = temp.resolve(name);
        Cli cli = copyFrom(source, file.toString(), "--chunks", "4,4,4", "--max-mem", "40MB");
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains(" are not written: " + file + "; end the name with .zarr, "), cli.err());
        assertFalse(Files.exists(file));
        Cli zarr = copyFrom(source, file.toString(), "--chunks", "4,4,4", "--max-mem", "40MB", "--format", "zarr3");
        assertEquals(0, zarr.status(), zarr.err());
    }

    @Test
    void spillMustBeADirectoryEvenIfNotUsed() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        Cli cli = copy("--chunks", "keep", "--max-mem", "40MB", "--spill", file.toString());
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().contains("--spill " + file + " is not a directory"), cli.err());
        assertFalse(Files.exists(Path.of(target)));
    }
}
