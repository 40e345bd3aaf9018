package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a program has read, as Linux counts it in {@code /proc/self/io}, or the server of a simulated storage.
 *
 * @param bytes the bytes that read calls returned, from the page cache or a device; memory-mapped files do not count
 * @param calls the number of read calls, or of requests
 * @param deviceBytes the bytes that were fetched from devices
 */
public record Reads(long bytes, long calls, long deviceBytes) {
    private static final Path PROCESS = Path.of("/proc/self/io");
    private static final Path THREAD = Path.of("/proc/thread-self/io");

    /**
     * {@return what this process and its ended children have read so far, without this thread; empty on other systems}
     */
    static Optional<Reads> soFar() {
        try {
            return Optional.of(of(PROCESS).minus(of(THREAD)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Reads of(Path file) throws IOException {
        Map<String, Long> figures = Files.readAllLines(file).stream()
                .map(line -> line.split(": ", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1])));
        return new Reads(figure(figures, "rchar"), figure(figures, "syscr"), figure(figures, "read_bytes"));
    }

    private static long figure(Map<String, Long> figures, String name) {
        return figures.getOrDefault(name, 0L);
    }

    /** {@return what was read after this} */
    Optional<Reads> untilNow() {
        return soFar().map(now -> now.minus(this));
    }

    /** {@return what was read after another point in time} */
    Reads minus(Reads other) {
        return new Reads(bytes - other.bytes, calls - other.calls, deviceBytes - other.deviceBytes);
    }
}
