package dev.rechunker.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoCommandTest {
    @Test
    void saysWhatAnArrayIs(@TempDir Path temp) throws IOException, InterruptedException {
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
        assertTrue(text.out().contains("inner/x"), text.out());
        assertTrue(text.out().contains("chunks: [2,10,14]"), text.out());
    }

    @Test
    void refusesWhatIsNotThere(@TempDir Path temp) throws IOException {
        assertEquals(2, Cli.run("info", temp.resolve("none").toString()).status());
        assertEquals(2, Cli.run("info").status());
        Files.writeString(temp.resolve("zarr.json"), "{");
        assertEquals(3, Cli.run("info", temp.toString()).status());
    }
}
