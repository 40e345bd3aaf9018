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

/** A separate JVM with the class path of the tests, for tests that measure or end a process. */
public final class ChildJvm {
    private ChildJvm() {}

    /** {@return the class path of the tests, whether Maven or an IDE started them} */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /**
     * {@return a builder of a process that runs a class}
     *
     * @param options the options of the JVM
     * @param main the class whose {@code main} is run
     * @param arguments the arguments of {@code main}
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
     * @param output the file that receives standard output and standard error
     * @param most the most time to wait
     * @throws AssertionError if the process does not end in this time; it is then killed
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
     * The result of a process.
     *
     * @param exit the exit status
     * @param output standard output and standard error
     */
    public record Outcome(int exit, String output) {
        /** {@return the value on the last line of the form {@code key=value}, or an empty text if there is none} */
        public String value(String key) {
            return output.lines()
                    .filter(line -> line.startsWith(key + "="))
                    .reduce((earlier, later) -> later)
                    .map(line -> line.substring(key.length() + 1).trim())
                    .orElse("");
        }

        /**
         * {@return the number on the last line of the form {@code key=number}}
         *
         * @throws AssertionError if there is no such line
         */
        public long number(String key) {
            assertNotEquals("", value(key), () -> "no " + key + " in " + output);
            return Long.parseLong(value(key));
        }
    }
}
