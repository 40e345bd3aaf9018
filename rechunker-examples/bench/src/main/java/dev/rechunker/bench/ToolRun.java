package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What has run to its end: a process, or a copy in this one.
 *
 * @param status its exit status
 * @param seconds from its start to its end
 * @param peakBytes the most memory that it had resident, as Linux says it in {@code VmHWM}; empty elsewhere, and of a
 *     copy in this process. Looked at often, but not so often that the looking takes the tool's time
 * @param output its standard output
 * @param failure the end of its standard error, if its status is not 0
 */
record ToolRun(int status, double seconds, OptionalLong peakBytes, String output, String failure) {
    /** A look takes a few tenths of a millisecond of a processor. */
    private static final long LOOK_MILLIS = 50;

    private static final int TAIL = 2000;

    /** {@return a copy in this process, done} */
    static ToolRun inThisProcess(double seconds) {
        return new ToolRun(0, seconds, OptionalLong.empty(), "", "");
    }

    /**
     * {@return a command, after it has run}
     *
     * @param environment added to that of this process
     * @param directory for its output
     * @throws IOException if it cannot be started
     */
    static ToolRun ofProcess(List<String> command, Map<String, String> environment, Path directory)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path out = directory.resolve("out.log");
        Path err = directory.resolve("err.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        long start = System.nanoTime();
        Process process = builder.start();
        try {
            Path status = Path.of("/proc", Long.toString(process.pid()), "status");
            OptionalLong peak = OptionalLong.empty();
            do {
                OptionalLong now = residentPeak(status);
                peak = now.isPresent() ? now : peak;
            } while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
            double seconds = (System.nanoTime() - start) / 1e9;
            int exit = process.exitValue();
            String failure = exit == 0 ? "" : "status " + exit + ", " + tail(err);
            return new ToolRun(exit, seconds, peak, Files.readString(out), failure);
        } finally {
            process.destroyForcibly();
        }
    }

    /** {@return the peak so far; empty if the process has ended, or there is no such file} */
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

    private static String tail(Path log) throws IOException {
        String text = Files.readString(log).trim();
        return text.substring(Math.max(0, text.length() - TAIL));
    }

    /**
     * {@return this}
     *
     * @throws IOException with what it said, if its status is not 0
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
