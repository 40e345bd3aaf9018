package dev.rechunker.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** An archive that was unpacked, and its script, which is run with no variables but those that are given. */
final class Installed {
    private final Path script;
    private final Map<String, String> variables = new TreeMap<>();

    private Installed(Path script, Map<String, String> variables) {
        this.script = script;
        this.variables.putAll(variables);
    }

    /** Unpacks an archive into a directory. {@return the script in it, with the Java of the tests on its path} */
    static Installed unpack(Path archive, Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        int status = new ProcessBuilder("tar", "-xf", archive.toString(), "-C", directory.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertEquals(0, status, archive.toString());
        String name = "rechunk-" + System.getProperty("version");
        return new Installed(
                directory.resolve(name).resolve("bin/rechunk"),
                Map.of("PATH", "/usr/bin:/bin", "JAVA_HOME", System.getProperty("java.home"), "RECHUNK_CACHE", "off"));
    }

    /** {@return the same with another value of a variable; the empty one removes it} */
    Installed with(String variable, String value) {
        Installed other = new Installed(script, variables);
        if (value.isEmpty()) {
            other.variables.remove(variable);
        } else {
            other.variables.put(variable, value);
        }
        return other;
    }

    /** {@return the same, called by another name} */
    Installed as(Path link) {
        return new Installed(link, variables);
    }

    Path script() {
        return script;
    }

    Path home() {
        return script.resolveSibling("..").normalize();
    }

    /** Starts the script, with its output in files beside each other. */
    Process start(Path output, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors(output).toFile());
        builder.environment().clear();
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static Path errors(Path output) {
        return output.resolveSibling(output.getFileName() + ".err");
    }

    /** Runs the script. {@return what came of it} */
    Outcome run(String... args) throws IOException, InterruptedException {
        Path output = Files.createTempFile("rechunk", ".out");
        try {
            return outcome(start(output, args), output);
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors(output));
        }
    }

    /** Waits for the end of a process that was started. */
    static Outcome outcome(Process process, Path output) throws IOException, InterruptedException {
        assertTrue(process.waitFor(3, TimeUnit.MINUTES), "it does not end");
        return new Outcome(process.exitValue(), text(output), text(errors(output)));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    /** What a process returned and printed. */
    record Outcome(int status, String out, String err) {
        Outcome requireDone() {
            assertEquals(0, status, out + err);
            return this;
        }
    }
}
