package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names, types, codecs and attributes of a file cannot make the terminal do anything, or imitate other lines. */
class HostileNamesTest {
    private static final String ESCAPE = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202egnp.exe\u2066\u200f\u2028\u007f";

    /** The value of an attribute, or name of an axis, that would begin a line of its own. */
    private static final String LINES = ESCAPE + "\r\nFAKE: done\rFAKE\u0085FAKE";

    @TempDir
    Path temp = Path.of("");

    private String store = "";

    @BeforeEach
    void write() throws IOException, InterruptedException {
        Path path = temp.resolve("hostile.zarr");
        store = path.toString();
        ArraySpec spec = Fixtures.spec()
                .dimensionNames(List.of(LINES, "y", "x"))
                .attributes(Map.of(LINES, LINES, "list", List.of(LINES), "map", Map.of(LINES, LINES)))
                .build();
        Fixtures.write(path, "name\u202egnp", spec);
        Fixtures.write(path, "codec", Fixtures.spec().build());
        Fixtures.write(path, "type", Fixtures.spec().build());
        replace(path.resolve("codec/zarr.json"), "\"zstd\"");
        replace(path.resolve("type/zarr.json"), "\"int32\"");
        try (ChunkStore group = Zarr.open(path)) {
            group.writeGroup("", GroupSpec.of(Map.of(LINES, LINES)), true);
            group.finish(false);
        }
    }

    private static void replace(Path document, String name) throws IOException {
        String text = Files.readString(document);
        assertTrue(text.contains(name), text);
        String hostile =
                LINES.chars().mapToObj(c -> String.format("\\u%04x", c)).reduce("", String::concat);
        Files.writeString(document, text.replace(name, "\"" + hostile + "\""));
    }

    private static Cli assertHarmless(String... command) {
        Cli cli = Cli.run(command);
        for (String printed : List.of(cli.out(), cli.err())) {
            printed.chars()
                    .filter(c -> c != '\n')
                    .forEach(c -> assertFalse(
                            Character.isISOControl(c)
                                    || Character.getType(c) == Character.FORMAT
                                    || Character.getType(c) == Character.LINE_SEPARATOR,
                            () -> "character " + c + " in " + printed));
            assertTrue(printed.lines().noneMatch(line -> line.startsWith("FAKE")), printed);
        }
        return cli;
    }

    @Test
    void nothingHostileIsPrinted() {
        Cli table = assertHarmless("info", store);
        assertEquals(0, table.status(), table.err());
        assertTrue(table.out().contains("name\\u202egnp"), table.out());
        Cli attributes = assertHarmless("info", store, "--attributes");
        assertTrue(attributes.out().contains("\\u001b[2J"), attributes.out());
        for (String name : List.of("#name\u202egnp", "#codec", "#type", "#none\u001b[2J")) {
            assertHarmless("info", store + name);
            assertHarmless("info", store + name, "--json");
            assertHarmless("plan", store + name, "--chunks", "4,4,4");
            assertHarmless(
                    "copy",
                    store + name,
                    temp.resolve("o" + name.length() + ".n5").toString(),
                    "--chunks",
                    "4,4,4");
        }
        List<String> copy = List.of("copy", store, temp.resolve("out.n5").toString(), "--chunks", "4,4,4");
        for (List<String> more : List.of(
                List.of("--dry-run"), List.of("--strict"), List.of("--verbose", "--verify"), List.of("--json"))) {
            List<String> command = new ArrayList<>(copy);
            command.addAll(more);
            assertHarmless(command.toArray(String[]::new));
        }
        assertHarmless("verify", store, temp.resolve("out.n5").toString());
        assertHarmless("copy", store, temp.resolve("out.h5").toString(), "--chunks", "4,4,4", "--verbose", "--debug");
    }

    @Test
    void jsonHasTheNamesAsTheyAre() {
        JsonObject json = assertHarmless("info", store, "--json").json();
        assertEquals(LINES, json.getAsJsonObject("attributes").get(LINES).getAsString());
    }

    @Test
    void pagesHaveNoMarkupFromNames() throws IOException, InterruptedException {
        Path path = temp.resolve("markup.zarr");
        Fixtures.write(
                path,
                "a<script>alert(1)</script>".replace("/", "_"),
                Fixtures.spec()
                        .dimensionNames(List.of("<img src=x>", "y\"", "x"))
                        .build());
        Path page = temp.resolve("page.html");
        Cli cli = Cli.run(
                "copy",
                path.toString(),
                temp.resolve("m.n5").toString(),
                "--chunks",
                "4,4,4",
                "--html",
                page.toString());
        assertEquals(0, cli.status(), cli.err());
        String html = Files.readString(page);
        assertFalse(html.contains("<script>alert") || html.contains("<img"), html);
    }
}
