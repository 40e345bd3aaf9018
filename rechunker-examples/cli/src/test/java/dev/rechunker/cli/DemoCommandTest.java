package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    @TempDir
    Path temp = Path.of("");

    @Test
    void showsTheFirstCommandsAndWhatTheyPrint() {
        Path place = temp.resolve("not there/a b");
        Cli cli = Cli.run("demo", place.toString());
        assertEquals(0, cli.status(), cli.err());
        assertTrue(cli.out().contains("$ rechunk copy '" + place.resolve("scan.h5") + "#entry/data' '"), cli.out());
        assertTrue(cli.out().contains("verified: 16777216 elements are the same"), cli.out());
        assertTrue(Files.exists(place.resolve("copy.html")));
        assertEquals(0, Cli.run("info", place.resolve("scan.ome.zarr") + "#0").status());
    }

    @Test
    void replacesNothing() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "text");
        for (Path taken : new Path[] {temp, file}) {
            Cli cli = Cli.run("demo", taken.toString());
            assertEquals(2, cli.status());
            assertEquals(
                    "rechunk: " + taken + " exists; name a directory that does not exist, or an empty one\n",
                    cli.err());
        }
        Cli below = Cli.run("demo", file.resolve("directory").toString());
        assertEquals(2, below.status());
        assertTrue(below.err().startsWith("rechunk: the directory " + file), below.err());
        assertEquals("text", Files.readString(file));
    }
}
