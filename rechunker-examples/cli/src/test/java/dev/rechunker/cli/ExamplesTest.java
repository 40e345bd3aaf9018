package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.bench.Scaling;
import dev.rechunker.examples.ConcatYears;
import dev.rechunker.examples.CopyGroup;
import dev.rechunker.examples.CopyZarr;
import dev.rechunker.examples.InMemory;
import dev.rechunker.examples.Quickstart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples, and checks their results with the command line. */
public class ExamplesTest {
    @TempDir
    Path temp = Path.of("");

    /** A {@code main} method. */
    private interface Example {
        void run(String[] args) throws IOException, InterruptedException;
    }

    /** An action that prints. */
    public interface Printing {
        /** Runs the action. */
        void run() throws IOException, InterruptedException;
    }

    private static String run(Example example, String... args) throws IOException, InterruptedException {
        return printed(() -> example.run(args));
    }

    /** {@return the standard output of an action} */
    public static String printed(Printing example) throws IOException, InterruptedException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            example.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private String path(String name) {
        return temp.resolve(name).toString();
    }

    @Test
    void copiesAnArray() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a"), "", Fixtures.spec().build());
        String printed = run(CopyZarr::main, path("a"), path("b"), "12,5,7", "40MB");
        assertTrue(printed.contains("strategy"), printed);
        assertEquals(0, Cli.run("verify", path("a"), path("b")).status());
    }

    @Test
    void copiesAGroup() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("a"), "ssh", Fixtures.spec().build());
        Fixtures.write(temp.resolve("a"), "sst", Fixtures.spec().build());
        run(CopyGroup::main, path("a"), path("b"), "ssh", "t=-1, ...=5", "40MB");
        assertEquals(0, Cli.run("verify", path("a"), path("b")).status());
        assertTrue(Cli.run("info", path("b") + "#ssh").out().contains("chunks:     12, 5, 5 "));
        assertTrue(Cli.run("info", path("b") + "#sst").out().contains("chunks:     2, 10, 14 "));
    }

    @Test
    void copiesManyStoresIntoOne() throws IOException, InterruptedException {
        for (int year = 8; year < 12; year++) {
            Fixtures.write(
                    temp.resolve("in/year-" + year + ".zarr"),
                    "",
                    Fixtures.spec()
                            .dimensionNames(List.of("time", "y", "x"))
                            .attributes(Map.of("year", year))
                            .build());
        }
        String printed = run(ConcatYears::main, path("in"), "year-*.zarr", path("out"), "time=-1, ...=5", "40MB");
        assertTrue(printed.contains("4 stores"), printed);
        assertTrue(printed.contains("in the attribute year: 9, not 8"), printed);
        assertTrue(Cli.run("info", path("out")).out().contains("shape:      time 48, y 10, x 14 "), printed);
    }

    @Test
    void documentedTableIsPrinted() throws IOException, InterruptedException {
        String document = Files.readString(Path.of("..", "..", "docs", "scaling.md"));
        assertTrue(document.contains(run(Scaling::main).replace(System.lineSeparator(), "\n")));
    }

    @Test
    void copiesInMemory() throws IOException, InterruptedException {
        assertTrue(run(InMemory::main).contains("the same elements"));
    }

    @Test
    void startsQuickly() throws IOException, InterruptedException {
        String printed = run(Quickstart::main, path("quickstart"));
        assertTrue(printed.contains("23652000 elements compared"), printed);
        String maps = path("quickstart/by-day.zarr");
        String series = path("quickstart/by-place.zarr");
        assertEquals(0, Cli.run("verify", maps, series, "--max-mem", "24MB").status());
        run(Quickstart::main, path("quickstart"));
    }
}
