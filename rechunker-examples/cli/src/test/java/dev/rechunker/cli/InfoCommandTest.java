package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InfoCommandTest {
    @Test
    void describesArray(@TempDir Path temp) throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a"), "inner/x", Fixtures.spec().build());
        JsonObject json =
                Cli.run("info", temp.resolve("a") + "#inner/x", "--json").json();
        assertEquals("zarr3", json.get("format").getAsString());
        assertEquals("[12,10,14]", json.get("shape").toString());
        assertEquals("int32", json.get("dtype").getAsString());
        assertEquals(0, json.get("fillValue").getAsInt());
        assertEquals(
                "zstd",
                json.getAsJsonArray("codecs")
                        .get(0)
                        .getAsJsonObject()
                        .get("name")
                        .getAsString());

        Cli text = Cli.run("info", temp.resolve("a").toString());
        assertEquals(0, text.status(), text.err());
        assertEquals(
                List.of("array", "type", "shape", "chunks", "per", "chunk", "size", "stored", "ratio", "codecs"),
                List.of(text.out().lines().toList().get(3).split(" +")));
        assertTrue(text.out().contains("inner/x  int32"), text.out());
        assertTrue(text.out().contains("2, 10, 14"), text.out());
    }

    @Test
    void sizesOfVariableLengthAreUnknown(@TempDir Path temp) throws IOException, InterruptedException {
        Files.writeString(temp.resolve(".zarray"), """
                {"zarr_format": 2, "shape": [5, 7], "chunks": [2, 3], "dtype": "|O", "order": "C", "fill_value": "",
                 "compressor": null, "filters": [{"id": "vlen-utf8"}]}
                """);
        String text = Cli.run("info", temp.toString()).out();
        assertTrue(text.contains("type:       string\nshape:      5, 7\n"), text);
        assertTrue(text.contains("chunks:     2, 3 (9 in all)"), text);
        assertTrue(text.contains("fill value: \"\""), text);
        JsonObject json = Cli.run("info", temp.toString(), "--json").json();
        assertTrue(json.get("bytes").isJsonNull(), json.toString());
    }

    @Test
    void thirteenVariablesFitAScreen(@TempDir Path temp) throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec()
                .dimensionNames(List.of("time", "lat", "lon"))
                .attributes(Map.of("units", "K", "long_name", "temperature\nof the air"))
                .build();
        for (int i = 0; i < 13; i++) {
            Fixtures.write(temp, "variable_" + i, spec);
        }
        Cli table = Cli.run("info", temp.toString());
        assertTrue(table.out().lines().count() <= 24, table.out());
        assertTrue(table.out().lines().allMatch(line -> line.length() <= 100), table.out());
        assertTrue(table.out().contains("time 12, lat 10, lon 14"), table.out());
        String all = Cli.run("info", temp.toString(), "--attributes").out();
        assertTrue(all.contains("  long_name: temperature of the air"), all);
    }

    @Test
    void storedSizesAreCounted(@TempDir Path temp) throws IOException, InterruptedException {
        Fixtures.write(temp, "x", Fixtures.spec().build());
        long bytes = 0;
        try (Stream<Path> files = Files.walk(temp.resolve("x/c"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        JsonObject json = Cli.run("info", temp + "#x", "--json").json();
        assertEquals(bytes, json.get("storedBytes").getAsLong());
        assertFalse(json.get("storedBytesEstimated").getAsBoolean());
        String ratio = String.format(Locale.ROOT, "%.1f", 12 * 10 * 14 * 4.0 / bytes);
        Cli one = Cli.run("info", temp + "#x");
        String size = ByteSize.of(bytes).toString();
        assertTrue(one.out().contains("stored:     " + size + ", " + ratio + " times smaller"), one.out());
        Cli group = Cli.run("info", temp.toString());
        assertTrue(group.out().contains(size + "  " + ratio), group.out());

        ArraySpec many = Fixtures.spec()
                .chunks(ChunkGrid.regular(Shape.of(200, 10, 20), Shape.of(1, 2, 2)))
                .build();
        Fixtures.write(temp, "many", many);
        JsonObject estimate = Cli.run("info", temp + "#many", "--json").json();
        assertTrue(estimate.get("storedBytesEstimated").getAsBoolean());
        assertEquals(200 * 50 * 25, estimate.get("storedBytes").getAsDouble(), 200 * 50 * 5);
        Cli both = Cli.run("info", temp.toString());
        assertTrue(both.out().contains("  ~") && both.out().contains("~ estimated from"), both.out());
    }

    @Test
    void missingPathsAreToldWhatThereIs(@TempDir Path temp) throws IOException, InterruptedException {
        Fixtures.write(temp, "inner/x", Fixtures.spec().build());
        Fixtures.write(temp, "inner/y", Fixtures.spec().build());
        Cli cli = Cli.run("info", temp + "#inner/z/a");
        assertEquals(2, cli.status(), cli.err());
        assertTrue(
                cli.err().contains("there is no array or group at " + temp + "#inner/z/a; " + temp + "#inner has x, y"),
                cli.err());
    }

    @Test
    void describesArrayThatCannotBeRead(@TempDir Path temp) throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().hints(Map.of("zarr.format", "2")).build();
        Fixtures.write(temp, "known", spec);
        Fixtures.write(temp, "odd", spec);
        Path document = temp.resolve("odd/.zarray");
        Files.writeString(document, Files.readString(document).replace("\"zstd\"", "\"pressed\""));

        Cli array = Cli.run("info", temp + "#odd", "--json");
        assertEquals(0, array.status(), array.err());
        assertEquals("[12,10,14]", array.json().get("shape").toString());
        String refused = array.json().get("refused").getAsString();
        assertTrue(refused.contains("\"pressed\" is not supported"), refused);

        Cli group = Cli.run("info", temp.toString());
        assertEquals(0, group.status(), group.err());
        assertEquals(
                List.of("odd: not readable: " + refused),
                group.out().lines().filter(line -> line.contains("readable")).toList());
    }

    @Test
    void refusesMissingNodes(@TempDir Path temp) throws IOException {
        assertEquals(2, Cli.run("info", temp.resolve("none").toString()).status());
        assertEquals(2, Cli.run("info").status());
        Files.writeString(temp.resolve("zarr.json"), "{");
        String place = temp.toString();
        for (Cli broken : List.of(Cli.run("info", place), Cli.run("verify", place, place))) {
            assertEquals(2, broken.status(), broken.err());
            assertTrue(broken.err().contains("zarr.json is not valid JSON"), broken.err());
        }
    }

    @Test
    void failsIfOutputCannotBeWritten(@TempDir Path temp) throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a.zarr"), "", Fixtures.spec().build());
        String[] args = {"info", temp.resolve("a.zarr").toString()};
        StringWriter err = new StringWriter();
        CommandLine line = Rechunk.commandLine(false, args);
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }
        };
        line.setOut(new PrintWriter(full, false, StandardCharsets.UTF_8)).setErr(new PrintWriter(err));
        assertEquals(3, Rechunk.run(line, args));
        assertTrue(err.toString().contains("could not be written to standard output"), err::toString);
    }
}
