package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuietOptionTest {
    @TempDir
    Path temp = Path.of("");

    @BeforeEach
    void write() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a.zarr"), "", Fixtures.spec().build());
    }

    private Cli copy(String... options) {
        List<String> args = new ArrayList<>(List.of(
                "copy",
                temp.resolve("a.zarr").toString(),
                temp.resolve("b.zarr").toString(),
                "--chunks=4,4,4"));
        args.addAll(List.of(options));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void nothingIsPrintedOfWhatWasDone() {
        Cli cli = copy("--quiet", "--verify");
        assertEquals(0, cli.status(), cli.err());
        assertTrue(cli.out().startsWith("verified: "), cli.out());
        assertEquals("", cli.err());
        Cli same = Cli.run(
                "verify",
                temp.resolve("a.zarr").toString(),
                temp.resolve("b.zarr").toString(),
                "--quiet");
        assertEquals(new Cli(0, "", ""), same);
    }

    @Test
    void errorsAndWhatIsAskedForArePrinted() {
        assertTrue(copy("--quiet", "--json").json().has("bytesRead"));
        Cli refused = copy("--quiet");
        assertEquals(2, refused.status());
        assertTrue(refused.err().contains("exists"), refused.err());
    }

    @Test
    void durationsAreInWords() {
        assertEquals("2.4 s", Numbers.duration(Duration.ofMillis(2400)));
        assertEquals("13 min 20 s", Numbers.duration(Duration.ofSeconds(800)));
        assertEquals("2 h 5 min", Numbers.duration(Duration.ofSeconds(7530)));
    }
}
