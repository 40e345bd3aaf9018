package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
    @TempDir
    Path temp = Path.of("");

    private static final Set<String> KEYS = Set.of(
            "strategy",
            "stages",
            "tasks",
            "bytesRead",
            "bytesWritten",
            "storedBytesRead",
            "storedBytesReadEstimated",
            "storedBytesWritten",
            "storedBytesWrittenEstimated",
            "requests",
            "spillBytes",
            "spillPeakBytes",
            "residentBytes",
            "sourceReadsPerChunk",
            "operations",
            "projectedMemory",
            "minimumMemory",
            "alternatives");

    private static Cli plan(String shape, String source, String target, String item, String mem, String... more) {
        List<String> args = new ArrayList<>(List.of("plan", "--shape", shape, "--source-chunks", source));
        args.addAll(List.of("--target-chunks", target, "--item-size", item, "--max-mem", mem));
        return Cli.run(Stream.concat(args.stream(), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void printsPlanAsText() {
        Cli cli = plan("8901,720,1440", "5,720,1440", "8901,72,72", "4", "1GB", "--explain");
        assertEquals(0, cli.status(), cli.err());
        assertTrue(cli.out().contains("strategy "), cli.out());
        assertEquals("", cli.err());
    }

    @Test
    void printsPlanAsJson() {
        Cli cli = plan("8901,720,1440", "5,720,1440", "8901,72,72", "4", "1GB", "--json", "--threads", "2");
        assertEquals(0, cli.status(), cli.err());
        assertEquals(1, cli.out().lines().count());
        JsonObject json = cli.json();
        assertEquals(KEYS, json.keySet());
        assertEquals(
                3,
                json.getAsJsonArray("stages")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("region")
                        .size());
        long bytes = 8901L * 720 * 1440 * 4;
        assertTrue(json.get("bytesWritten").getAsLong() >= bytes);
        assertTrue(json.get("projectedMemory").getAsLong() <= 1_000_000_000);
        for (String count : List.of("bytesRead", "bytesWritten", "operations", "requests", "spillBytes", "tasks")) {
            assertTrue(json.get(count).getAsString().matches("\\d+"), count + " is " + json.get(count));
        }
        assertEquals(
                Set.of(
                        "strategy",
                        "bytesRead",
                        "bytesWritten",
                        "storedBytesRead",
                        "storedBytesReadEstimated",
                        "storedBytesWritten",
                        "storedBytesWrittenEstimated",
                        "requests",
                        "spillBytes",
                        "operations",
                        "seconds"),
                json.getAsJsonArray("alternatives").get(0).getAsJsonObject().keySet());
    }

    @Test
    void plansTheCopyOfAStore() throws Exception {
        Path group = temp.resolve("group.zarr");
        Fixtures.write(group, "large", Fixtures.spec().build());
        Fixtures.write(
                group,
                "small",
                Fixtures.spec()
                        .chunks(ChunkGrid.regular(Shape.of(2, 3, 4), Shape.of(2, 3, 4)))
                        .build());
        Cli cli = Cli.run("plan", group.toString(), "--chunks", "t=-1, y=3, x=7", "--threads", "1");
        assertEquals(0, cli.status(), cli.err());
        assertTrue(cli.out().contains("2 arrays, 6.82 kB; the largest is large\n"), cli.out());
        cli = Cli.run("plan", group.toString(), "--chunks", "t=-1, y=3, x=7", "--threads", "1", "--explain");
        assertTrue(cli.out().contains("array large\n"), cli.out());
        assertTrue(cli.out().contains(" of maxMem " + ByteSize.parse("50%")), cli.out());
        assertTrue(cli.out().contains("1 other array, 96 B in all\n  small  96 B, "), cli.out());
        try (Stream<Path> files = Files.list(temp)) {
            assertEquals(List.of(group), files.toList());
        }
        Cli one = Cli.run("plan", group + "#small", "--chunks", "1,1,1", "--max-mem", "1MB", "--json");
        assertTrue(one.json().has("strategy"), one.out());
        Cli both = Cli.run("plan", group.toString(), "--chunks", "1,1,1", "--item-size", "4");
        assertEquals(2, both.status());
        assertTrue(both.err().contains("leave them out"), both.err());
        Cli neither = Cli.run("plan", "--max-mem", "1MB");
        assertEquals(2, neither.status());
        assertTrue(neither.err().contains("write plan SRC --chunks CHUNKS"), neither.err());
    }

    @Test
    void thirteenVariablesFitAScreen() throws Exception {
        Path group = temp.resolve("group.zarr");
        for (int i = 0; i < 13; i++) {
            ArraySpec.Builder spec = Fixtures.spec().codecs(CodecSpec.parse("lz4"));
            if (i >= 6) {
                spec.chunks(ChunkGrid.regular(Shape.of(i), Shape.of(i))).dimensionNames(List.of("n" + i));
            }
            Fixtures.write(
                    group,
                    "a_long_name_" + i,
                    spec.hints(Map.of("zarr.format", "2")).build());
        }
        String[] options = {"--chunks", "t=-1, y=3, x=7", "--max-mem", "20MB"};
        List<String> plan = new ArrayList<>(List.of("plan", group.toString()));
        plan.addAll(List.of(options));
        List<String> dry = new ArrayList<>(
                List.of("copy", group.toString(), temp.resolve("b.n5").toString()));
        dry.addAll(List.of(options));
        List<String> copy = new ArrayList<>(dry);
        dry.add("--dry-run");
        for (List<String> command : List.of(plan, dry, copy)) {
            Cli cli = Cli.run(command.toArray(String[]::new));
            assertEquals(0, cli.status(), cli.err());
            assertTrue(cli.out().lines().count() <= 40, cli.out());
            assertTrue(cli.out().lines().skip(1).allMatch(line -> line.length() <= 105), cli.out());
        }
    }

    @Test
    void drawsPlan() throws IOException {
        Path page = temp.resolve("plan.html");
        Cli cli = plan("8901,720,1440", "5,720,1440", "8901,72,72", "4", "1GB", "--html", page.toString());
        assertEquals(0, cli.status(), cli.err());
        String html = Files.readString(page);
        assertTrue(html.startsWith("<!DOCTYPE html>"), html);
        assertTrue(html.contains("axis 0: 8,901"), html);
        assertTrue(html.contains("maxMem 1 GB"), html);
    }

    @Test
    void refusesInvalidFilesForPages() {
        for (Path place : List.of(temp, temp.resolve("missing/plan.html"))) {
            Cli cli = plan("100,100", "1,100", "100,1", "4", "1MB", "--html", place.toString());
            assertEquals(2, cli.status());
            assertTrue(cli.err().contains("cannot be a file"), cli.err());
        }
    }

    @Test
    void plansWithoutSpill() {
        JsonObject json = plan("8901,720,1440", "5,720,1440", "8901,72,72", "4", "1GB", "--json", "--no-spill")
                .json();
        assertEquals(0, json.get("spillBytes").getAsLong());
    }

    @Test
    void plansForCompressedChunksAndOtherStorage() {
        JsonObject any = plan("600,720,1440", "5,720,1440", "600,72,72", "4", "50MB", "--json", "--no-spill")
                .json();
        JsonObject whole = plan(
                        "600,720,1440",
                        "5,720,1440",
                        "600,72,72",
                        "4",
                        "50MB",
                        "--json",
                        "--no-spill",
                        "--compressed",
                        "--profile",
                        "hdd")
                .json();
        assertTrue(whole.get("bytesRead").getAsLong() > any.get("bytesRead").getAsLong());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "100,100 | -1,1   | 1,-1   | 4",
                "10      | 50     | 100    | 8",
                "0,10    | 5,5    | -1,5   | 4",
                "''      | ''     | ''     | 8",
                "7,7     | 3,3    | 3,3    | 1"
            })
    void takesUnusualArrays(String shape, String source, String target, String item) {
        for (String flag : List.of("--no-spill", "--compressed")) {
            Cli cli = plan(shape, source, target, item, "1MB", "--json", flag);
            assertEquals(0, cli.status(), cli.err());
            assertEquals(KEYS, cli.json().keySet());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10000000000000      | 100000  | 1  | 1 | 1GB",
                "216138061626        | 229415  | 10 | 8 | 300MB",
                "9223372036854775807 | 1000000 | 1  | 1 | 1GB"
            })
    void plansArraysOfVeryManyChunks(String shape, String source, String target, String item, String mem) {
        Cli cli = plan(shape, source, target, item, mem, "--json");
        assertEquals(0, cli.status(), cli.err());
        assertEquals(KEYS, cli.json().keySet());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10,10 | 5     | 5,5   | 4  | 1MB | --source-chunks (5) has 1 axes, but --shape (10, 10) has 2",
                "10,10 | 5,5   | 5,5,5 | 4  | 1MB | --target-chunks (5,5,5) has 3 axes",
                "10,10 | 5,0   | 5,5   | 4  | 1MB | has 0 on axis 1",
                "10,10 | 5,-2  | 5,5   | 4  | 1MB | has -2 on axis 1",
                "-3,10 | 5,5   | 5,5   | 4  | 1MB | negative extent: -3",
                "10,x  | 5,5   | 5,5   | 4  | 1MB | not an integer",
                "10,99999999999999999999 | 5,5 | 5,5 | 4 | 1MB | beyond 2^63",
                "10,10 | 5,5   | 5,5   | 0  | 1MB | --item-size is 0",
                "10,10 | 5,5   | 5,5   | -4 | 1MB | --item-size is -4",
                "10,10 | 5,5   | 5,5   | 4  | lots | is not a size",
                "9000000000,9000000000 | 5,5 | 5,5 | 4 | 1GB | exceeds 2^63 bytes"
            })
    void refusesInvalidArguments(String shape, String source, String target, String item, String mem, String message) {
        Cli cli = plan(shape, source, target, item, mem);
        assertEquals(2, cli.status());
        assertTrue(cli.err().startsWith("rechunk: "), cli.err());
        assertTrue(cli.err().contains(message), cli.err());
        assertEquals(1, cli.err().lines().count(), cli.err());
        assertEquals("", cli.out());
    }

    @Test
    void refusesInvalidThreadsAndProfiles() {
        assertEquals(2, plan("10", "5", "2", "4", "1MB", "--threads", "0").status());
        assertEquals(2, plan("10", "5", "2", "4", "1MB", "--profile", "tape").status());
        assertEquals(2, plan("10", "5", "2", "4", "1MB", "--nonsense").status());
        assertEquals(2, Cli.run("plan").status());
        assertEquals(2, Cli.run().status());
        assertEquals(2, Cli.run("nonsense").status());
    }

    @Test
    void printsCompressionOfSpill() {
        for (String ratio : List.of("1", "3")) {
            Cli cli = plan(
                    "6000,720,1440",
                    "5,720,1440",
                    "6000,72,72",
                    "4",
                    "250MB",
                    "--compressed",
                    "--explain",
                    "--profile",
                    "hdd:spill-ratio=" + ratio);
            assertEquals(ratio.equals("3"), cli.out().contains("compressed by blosc (lz4), to about 1/3"), cli::out);
        }
    }

    @Test
    void printsTheLeastMaxMem() {
        Cli cli = plan("600,720,1440", "5,720,1440", "600,72,72", "4", "1MB", "--json");
        assertEquals(2, cli.status());
        assertEquals(
                Set.of("error", "minimumMemory", "usefulMemory"), cli.json().keySet());
        String minimum = cli.json().get("minimumMemory").getAsString();
        ByteSize stated =
                ByteSize.parse(cli.err().strip().replaceFirst(".*the least possible maxMem is ([^,]*).*", "$1"));
        assertTrue(stated.bytes() >= Long.parseLong(minimum), cli.err());
        assertTrue(stated.bytes() < 1.01 * Long.parseLong(minimum), cli.err());
        assertTrue(cli.json().get("usefulMemory").getAsLong() >= Long.parseLong(minimum), cli.out());
        assertEquals(
                0, plan("600,720,1440", "5,720,1440", "600,72,72", "4", minimum).status());
        assertEquals(
                2,
                plan("600,720,1440", "5,720,1440", "600,72,72", "4", "" + (Long.parseLong(minimum) - 1))
                        .status());
    }

    @Test
    void warnsOfAPlanThatReadsTheSourceManyTimes() {
        String[] options = {"--json", "--no-spill", "--compressed", "--threads", "1"};
        Cli refused = plan("500,500", "500,1", "1,500", "4", "1kB", options);
        assertTrue(refused.err().contains(" on each byte of the source is read at most twice"), refused.err());
        String least = refused.json().get("minimumMemory").getAsString();
        Cli worst = plan("500,500", "500,1", "1,500", "4", least, options);
        assertEquals(0, worst.status(), worst.err());
        assertTrue(worst.err().startsWith("warning: each byte of the source is read "), worst.err());
        String useful = refused.json().get("usefulMemory").getAsString();
        assertEquals("", plan("500,500", "500,1", "1,500", "4", useful, options).err());
    }

    @Test
    void printsHelpAndStackTraces() {
        Cli help = Cli.run("plan", "--help");
        assertEquals(0, help.status());
        assertTrue(help.out().contains("uncompressed"), help.out());
        assertEquals(0, Cli.run("--version").status());
        assertTrue(Cli.run("--debug", "plan", "--shape", "1").err().contains("\tat "));
        assertFalse(Cli.run("plan", "--shape", "1").err().contains("\tat "));
    }
}
