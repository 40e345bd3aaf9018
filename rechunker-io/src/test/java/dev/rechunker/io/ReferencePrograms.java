package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs reference implementations in other languages. */
public final class ReferencePrograms {
    private ReferencePrograms() {}

    /**
     * Runs a script of the test resources with Python.
     *
     * @param directory the working directory
     * @param script the path of the script in the test resources, such as {@code "zarr/reference.py"}
     * @throws AssertionError if the script fails; the message has its output
     */
    public static void python(Path directory, String script, String... arguments)
            throws IOException, InterruptedException {
        python(
                Objects.requireNonNullElse(System.getenv("RECHUNKER_PYTHON"), "/usr/bin/python3"),
                directory,
                script,
                arguments);
    }

    /**
     * Runs a script of the test resources with the Python that has current releases of xarray and zarr-python.
     *
     * @param directory the working directory
     * @param script the path of the script in the test resources
     * @throws AssertionError if the script fails; the message has its output
     */
    public static void xarray(Path directory, String script, String... arguments)
            throws IOException, InterruptedException {
        String python = Objects.requireNonNull(
                System.getenv("RECHUNKER_XARRAY_PYTHON"),
                "RECHUNKER_XARRAY_PYTHON is not set; set it to a Python with xarray, zarr 3, netCDF4 and dask");
        python(python, directory, script, arguments);
    }

    /**
     * Runs a script of the test resources with the Python that has tiledb-py 0.26, which needs an older NumPy.
     *
     * @param directory the working directory
     * @param script the path of the script in the test resources
     * @throws AssertionError if the script fails; the message has its output
     */
    public static void tiledb(Path directory, String script, String... arguments)
            throws IOException, InterruptedException {
        String python = Objects.requireNonNull(
                System.getenv("RECHUNKER_TILEDB_PYTHON"),
                "RECHUNKER_TILEDB_PYTHON is not set; set it to a Python with tiledb 0.26.4 and numpy 1.26");
        python(python, directory, script, arguments);
    }

    private static void python(String python, Path directory, String script, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(python, Fixtures.resource(script, directory).toString()));
        command.addAll(List.of(arguments));
        run(directory, command);
    }

    /**
     * Runs a command.
     *
     * @param directory the working directory
     * @throws AssertionError if the command fails; the message has its output
     */
    public static void run(Path directory, List<String> command) throws IOException, InterruptedException {
        Path log = directory.resolve("reference.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertEquals(0, process.waitFor(), () -> {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                return e.toString();
            }
        });
    }

    /** {@return a copy of a script of the test resources} */
    public static Path script(String name, Path directory) throws IOException {
        return Fixtures.resource(name, directory);
    }
}
