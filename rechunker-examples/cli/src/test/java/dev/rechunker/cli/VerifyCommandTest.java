package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
    @TempDir
    Path temp = Path.of("");

    private String path(String name) {
        return temp.resolve(name).toString();
    }

    private void write(String name, ArraySpec spec, byte[] elements) throws IOException, InterruptedException {
        Fixtures.write(temp.resolve(name), "", spec, elements);
    }

    @Test
    void namesTheFirstDifference() throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().build();
        byte[] changed = Fixtures.count(spec);
        Fixtures.put(changed, spec.byteOrder(), 140 * 11 + 14 * 2 + 5, -1);
        Fixtures.put(changed, spec.byteOrder(), 140 * 7 + 14 * 9 + 13, 77);
        write("a", spec, Fixtures.count(spec));
        write(
                "b",
                spec.toBuilder()
                        .chunks(ChunkGrid.regular(spec.shape(), Shape.of(12, 3, 5)))
                        .build(),
                changed);
        for (String bound : List.of("40MB", "256MB")) {
            Cli cli = Cli.run("verify", path("a"), path("b"), "--max-mem", bound);
            assertEquals(1, cli.status(), cli.err());
            assertTrue(
                    cli.out()
                            .contains("element [7, 9, 13] is 1120 (0x00000460) in " + path("a")
                                    + ", but 77 (0x0000004d) in " + path("b")),
                    cli.out());
        }
        assertEquals(
                2, Cli.run("verify", path("a"), path("b"), "--max-mem", "1kB").status());
        assertEquals(2, Cli.run("verify", path("a"), path("none")).status());
    }

    @Test
    void printsProgress() throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().build();
        write("a", spec, Fixtures.count(spec));
        write("b", spec, Fixtures.count(spec));
        Cli cli = Cli.run("verify", path("a"), path("b"));
        assertEquals(0, cli.status(), cli.err());
        assertTrue(cli.err().startsWith("100 %") && cli.err().endsWith(" of 256 MB  verify\n"), cli.err());
    }

    @Test
    void byteOrderAndMissingChunksAreNoDifference() throws IOException, InterruptedException {
        ArraySpec little = Fixtures.spec()
                .fillValue(FillValue.of((byte) 7, (byte) 0, (byte) 0, (byte) 0))
                .build();
        ArraySpec big = little.toBuilder()
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .fillValue(little.fillValue().swapped(4))
                .build();
        byte[] elements = Fixtures.count(little);
        for (int i = 280; i < 560; i++) {
            Fixtures.put(elements, ByteOrder.LITTLE_ENDIAN, i, 7);
        }
        byte[] swapped = new byte[elements.length];
        for (int i = 0; i < elements.length; i++) {
            swapped[i] = elements[i ^ 3];
        }
        write("a", little, elements);
        write("b", big, swapped);
        assertTrue(Files.notExists(temp.resolve("a/c/1/0/0")));
        assertEquals(0, Cli.run("verify", path("a"), path("b")).status());
        assertEquals(0, Cli.run("verify", path("b"), path("a")).status());
    }

    @Test
    void differentShapesAndTypesAreReported() throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().build();
        Fixtures.write(temp.resolve("a"), "", spec);
        write("b", spec.toBuilder().dataType(DataType.UINT32).build(), Fixtures.count(spec));
        ArraySpec small = ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(2)), DataType.INT32)
                .build();
        Fixtures.write(temp.resolve("c"), "", small);
        Fixtures.write(temp.resolve("d"), "x", small);
        assertTrue(Cli.run("verify", path("a"), path("b")).out().contains("int32, those of"));
        assertTrue(Cli.run("verify", path("a"), path("c")).out().contains("(12, 10, 14), that of"));
        assertTrue(Cli.run("verify", path("c"), path("d")).out().contains("is an array"));
        assertEquals(1, Cli.run("verify", path("c"), path("d")).status());
        assertEquals(0, Cli.run("verify", path("c"), path("d") + "#x").status());
    }

    @Test
    void otherArraysAreComparedIfOneCannotBeRead() throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().hints(Map.of("zarr.format", "2")).build();
        byte[] changed = Fixtures.count(spec);
        Fixtures.put(changed, spec.byteOrder(), 0, -1);
        for (String name : List.of("coded", "cut", "last")) {
            Fixtures.write(temp.resolve("a"), name, spec);
            Fixtures.write(temp.resolve("b"), name, spec, changed);
        }
        Path document = temp.resolve("a/coded/.zarray");
        Files.writeString(document, Files.readString(document).replace("\"zstd\"", "\"pressed\""));
        Files.writeString(temp.resolve("b/cut/0.0.0"), "cut");
        for (List<String> order : List.of(List.of("a", "b"), List.of("b", "a"))) {
            Cli groups = Cli.run("verify", path(order.get(0)), path(order.get(1)));
            assertEquals(1, groups.status(), groups.err());
            List<String> lines = groups.out().lines().toList();
            assertEquals(3, lines.size(), groups.out());
            assertTrue(lines.get(0).startsWith("not compared: coded: " + path("a") + "#coded"), lines.get(0));
            assertTrue(lines.get(1).startsWith("not compared: cut: " + path("b") + "#cut"), lines.get(1));
            assertTrue(lines.get(2).startsWith("different: last: element [0, 0, 0] is"), lines.get(2));
        }
        for (String name : List.of("#coded", "#cut")) {
            assertEquals(
                    3, Cli.run("verify", path("a") + name, path("b") + name).status());
        }
    }

    /** A link to itself fails like a file without read permission, also for root. */
    @Test
    void unreadableFileOfGroupIsNamed() throws IOException, InterruptedException {
        ArraySpec spec = Fixtures.spec().build();
        for (String name : List.of("chunk", "document", "last")) {
            Fixtures.write(temp.resolve("a"), name, spec);
            Fixtures.write(temp.resolve("b"), name, spec);
        }
        for (String file : List.of("b/chunk/c/0/0/0", "a/document/zarr.json")) {
            Path link = temp.resolve(file);
            Files.delete(link);
            Files.createSymbolicLink(link, link.getFileName());
        }
        for (List<String> order : List.of(List.of("a", "b"), List.of("b", "a"))) {
            Cli groups = Cli.run("verify", path(order.get(0)), path(order.get(1)));
            assertEquals(1, groups.status(), groups.err());
            List<String> lines = groups.out().lines().toList();
            assertEquals(2, lines.size(), groups.out());
            assertTrue(
                    lines.get(0).startsWith("not compared: document: " + path("a/document/zarr.json")), lines.get(0));
            assertTrue(lines.get(1).startsWith("not compared: chunk: "), lines.get(1));
        }
        Cli info = Cli.run("info", path("a"));
        assertEquals(0, info.status(), info.err());
        assertTrue(info.out().contains("not readable: " + path("a/document/zarr.json")), info.out());
        assertEquals(
                3, Cli.run("verify", path("a") + "#chunk", path("b") + "#chunk").status());
    }

    @Test
    void cyclicLinksOfGroupAreNamed() throws IOException, InterruptedException {
        for (String group : List.of("a", "b")) {
            Fixtures.write(temp.resolve(group), "array", Fixtures.spec().build());
            for (String link : List.of("one", "two")) {
                Files.createSymbolicLink(temp.resolve(group).resolve(link), Path.of("."));
            }
        }
        Cli groups = Cli.run("verify", path("a"), path("b"));
        assertEquals(
                List.of(
                        "not compared: one: " + path("a") + "#one leads back to a group above it",
                        "not compared: two: " + path("a") + "#two leads back to a group above it"),
                groups.out().lines().toList(),
                groups.err());
        assertEquals(1, groups.status());
    }
}
