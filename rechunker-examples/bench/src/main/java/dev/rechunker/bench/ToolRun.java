package dev.rechunker.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A run of a tool that has ended: a process, or a copy in this process.
 *
 * @param status the exit status
 * @param seconds the seconds from start to end
 * @param peakBytes the peak of resident memory in bytes, from {@code VmHWM} on Linux; empty on other systems, and for a
 *     copy in this process. It is sampled often, but not so often that it slows down the tool
 * @param reads what it read; empty on systems other than Linux, and for a copy in this process
 * @param output the standard output
 * @param failure the end of the standard error if the status is not 0, else an empty text
 */
record ToolRun(
        int status, double seconds, OptionalLong peakBytes, Optional<Reads> reads, String output, String failure) {
    /** The interval between samples of the memory; a sample takes some tenths of a millisecond. */
    private static final long LOOK_MILLIS = 50;

    private static final int TAIL = 2000;
    private static final String ERROR = "err.log";

    /** {@return a successful copy in this process} */
    static ToolRun inThisProcess(double seconds) {
        return new ToolRun(0, seconds, OptionalLong.empty(), Optional.empty(), "", "");
    }

    /**
     * Runs a command and waits for its end.
     *
     * @param environment the environment variables in addition to those of this process
     * @param directory the directory for its output
     * @return the run, which may have failed
     * @throws IOException if the command cannot be started
     */
    static ToolRun ofProcess(List<String> command, Map<String, String> environment, Path directory)
            throws IOException, InterruptedException {
        return ofProcess(command, environment, directory, Double.POSITIVE_INFINITY);
    }

    /**
     * Runs a command and waits for its end, at most for a time, after which it is stopped.
     *
     * @param environment the environment variables in addition to those of this process
     * @param directory the directory for its output
     * @return the run, which may have failed
     * @throws IOException if the command cannot be started
     */
    static ToolRun ofProcess(List<String> command, Map<String, String> environment, Path directory, double mostSeconds)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path out = directory.resolve("out.log");
        Path err = directory.resolve(ERROR);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Optional<Reads> before = Reads.soFar();
        long start = System.nanoTime();
        Process process = builder.start();
        try {
            Path status = Path.of("/proc", Long.toString(process.pid()), "status");
            OptionalLong peak = OptionalLong.empty();
            do {
                OptionalLong now = residentPeak(status);
                peak = now.isPresent() ? now : peak;
                if (secondsSince(start) > mostSeconds) {
                    return new ToolRun(-1, secondsSince(start), peak, Optional.empty(), "", stopped(mostSeconds));
                }
            } while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
            double seconds = secondsSince(start);
            int exit = process.exitValue();
            String failure = exit == 0 ? "" : "status " + exit + ", " + tail(err);
            return new ToolRun(exit, seconds, peak, before.flatMap(Reads::untilNow), Files.readString(out), failure);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private static String stopped(double mostSeconds) {
        return "stopped after "
                + BigDecimal.valueOf(mostSeconds).stripTrailingZeros().toPlainString() + " s";
    }

    /** {@return the peak so far in bytes; empty if the process has ended, or the system has no such file} */
    private static OptionalLong residentPeak(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:")) {
                    return OptionalLong.of(1024 * Long.parseLong(line.replaceAll("[^0-9]", "")));
                }
            }
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    /** {@return the end of the standard error of the last run with this directory} */
    static String standardError(Path directory) throws IOException {
        return tail(directory.resolve(ERROR));
    }

    private static String tail(Path log) throws IOException {
        String text = Files.readString(log).trim();
        return text.substring(Math.max(0, text.length() - TAIL));
    }

    /** {@return the same run with another count of what it read} */
    ToolRun withReads(Reads counted) {
        return new ToolRun(status, seconds, peakBytes, Optional.of(counted), output, failure);
    }

    /**
     * {@return this run}
     *
     * @throws IOException if the status is not 0; the message has its standard error
     */
    ToolRun requireSuccess() throws IOException {
        if (status != 0) {
            throw new IOException(failure);
        }
        return this;
    }

    /** {@return the last line of the output} */
    String lastLine() {
        List<String> lines = output.lines().toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }
}
