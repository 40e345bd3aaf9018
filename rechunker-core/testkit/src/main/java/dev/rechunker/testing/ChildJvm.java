package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, with the class path of the tests: for what is true of a process, or ends one. */
public final class ChildJvm {
    private ChildJvm() {}

    /** {@return the class path of the tests, however they were started} */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /**
     * {@return the process that runs a class, not started yet}
     *
     * @param options of the JVM
     */
    public static ProcessBuilder of(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /**
     * Starts a process and waits for its end.
     *
     * @param output the file that takes what it says, errors included
     * @throws AssertionError if it does not end in that time; it is killed
     */
    public static Outcome run(ProcessBuilder builder, Path output, Duration most)
            throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(most.toSeconds(), TimeUnit.SECONDS), "still running");
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(output));
    }

    /**
     * What came of a process.
     *
     * @param exit its status
     * @param output what it said
     */
    public record Outcome(int exit, String output) {
        /** {@return what follows on the last line that begins with the key and {@code =}, or an empty text} */
        public String value(String key) {
            return output.lines()
                    .filter(line -> line.startsWith(key + "="))
                    .reduce((earlier, later) -> later)
                    .map(line -> line.substring(key.length() + 1).trim())
                    .orElse("");
        }

        /**
         * {@return the number of a key}
         *
         * @throws AssertionError if it was not said
         */
        public long number(String key) {
            assertNotEquals("", value(key), () -> "no " + key + " in " + output);
            return Long.parseLong(value(key));
        }
    }
}
