package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuggestCommandTest {
    @TempDir
    Path temp = Path.of("");

    /** Creates an array without any chunk. */
    private Path array() throws IOException {
        Path place = temp.resolve("maps.zarr");
        ChunkGrid chunks = ChunkGrid.regular(Shape.of(8901, 720, 1440), Shape.of(5, 720, 1440));
        ArraySpec spec = ArraySpec.builder(chunks, DataType.FLOAT32)
                .dimensionNames(List.of("time", "lat", "lon"))
                .codecs(List.of(CodecSpec.of("zlib")))
                .build();
        try (ChunkStore store = Zarr.create(place);
                ArrayWriter writer = store.create("", spec, false)) {
            writer.commit();
        }
        return place;
    }

    private static Cli suggest(Path place, String... more) {
        return Cli.run(Stream.concat(Stream.of("suggest", place.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void theTableHasThePresentChunksFirst() throws IOException {
        Cli cli = suggest(array(), "--read", "time=-1", "--read", "lat=-1, lon=-1 @0.5", "--max-mem", "1GB");
        assertEquals(0, cli.status(), cli.err());
        List<String> lines = cli.out().lines().toList();
        assertTrue(lines.get(2).startsWith("A: time=-1; ideally 35.6 kB in one request"), cli.out());
        assertTrue(lines.get(3).startsWith("B: lat=-1, lon=-1 with weight 0.5; ideally "), cli.out());
        assertTrue(lines.get(5).startsWith("chunks "), cli.out());
        assertTrue(lines.get(6).startsWith("5,720,1440 now "), cli.out());
        String best = lines.get(7).split(" ", 2)[0];
        assertTrue(lines.get(lines.size() - 1).endsWith(": --chunks " + best), cli.out());
    }

    @Test
    void theBestChunksCanBeTakenByCopy() throws IOException {
        Path place = array();
        Cli cli = suggest(place, "--read", "time=-1", "--read", "lat=-1, lon=-1", "--json");
        JsonArray candidates = cli.json().getAsJsonArray("candidates");
        JsonObject now = candidates.get(0).getAsJsonObject();
        JsonObject best = candidates.get(1).getAsJsonObject();
        assertTrue(now.get("present").getAsBoolean());
        assertEquals(1781, now.get("units").getAsLong());
        JsonArray reads = now.getAsJsonArray("reads");
        assertEquals(1781, reads.get(0).getAsJsonObject().get("requests").getAsDouble(), 1e-6);
        assertEquals(1, reads.get(1).getAsJsonObject().get("requests").getAsDouble(), 1e-9);
        assertEquals(
                8901L * 720 * 1440 * 4,
                reads.get(0).getAsJsonObject().get("bytes").getAsLong());
        assertTrue(best.get("slowdown").getAsDouble() < now.get("slowdown").getAsDouble() / 2);
        assertTrue(best.getAsJsonObject("conversion").get("projectedMemory").getAsLong() > 0);
        Path target = temp.resolve("copy.zarr");
        String suggested = "suggested: time=-1; lat=-1, lon=-1";
        cli = Cli.run(
                "copy", place.toString(), target.toString(), "--chunks", suggested, "--max-mem", "1GB", "--dry-run");
        assertEquals(0, cli.status(), cli.err());
        String chunks = best.get("chunks")
                .toString()
                .replace('[', '(')
                .replace(']', ')')
                .replace(",", ", ");
        assertTrue(cli.out().contains(chunks), chunks + " is not in " + cli.out());
    }

    @Test
    void thePageHasEachCandidate() throws IOException {
        Path page = temp.resolve("page.html");
        Cli cli = suggest(
                array(),
                "--read",
                "time=-1",
                "--read",
                "lat=-1, lon=-1",
                "--html",
                page.toString(),
                "--shards",
                "200MB");
        assertEquals(0, cli.status(), cli.err());
        String html = Files.readString(page);
        assertTrue(html.contains("time of lat=-1, lon=-1") && html.contains(">now<"), html);
        assertTrue(cli.out().contains(" --shards "), cli.out());
        assertTrue(!html.contains("http://") || html.contains("xmlns=\"http://www.w3.org/2000/svg\""));
    }

    @Test
    void wrongWaysAreRefused() throws IOException {
        Path place = array();
        assertRefused("--read is missing; write how the array will be read", suggest(place));
        assertRefused(
                "\"depth=-1\" reads along depth, but the array has the axes [time, lat, lon]",
                suggest(place, "--read", "depth=-1"));
        assertRefused("\"x\" in \"time=x\" is not a number of elements", suggest(place, "--read", "time=x"));
        assertRefused(
                "--chunk-size is \"5MB\"; write two sizes", suggest(place, "--read", "time=-1", "--chunk-size", "5MB"));
        assertRefused(
                "the first size must be the smaller one",
                suggest(place, "--read", "time=-1", "--chunk-size", "5MB..1MB"));
    }

    private static void assertRefused(String message, Cli cli) {
        assertEquals(2, cli.status(), cli.out());
        assertTrue(cli.err().contains(message), cli.err());
    }
}
