package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What programs have read, as Linux counts it in {@code /proc/self/io}.
 *
 * @param bytes the bytes that read calls returned, from the page cache or a device; memory-mapped files do not count
 * @param calls the number of read calls
 * @param deviceBytes the bytes that were fetched from devices
 */
public record KernelReads(long bytes, long calls, long deviceBytes) {
    private static final Path PROCESS = Path.of("/proc/self/io");
    private static final Path THREAD = Path.of("/proc/thread-self/io");

    /**
     * {@return what this process and its ended children have read so far, without this thread; empty on other systems}
     */
    static Optional<KernelReads> soFar() {
        try {
            return Optional.of(of(PROCESS).minus(of(THREAD)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static KernelReads of(Path file) throws IOException {
        Map<String, Long> figures = Files.readAllLines(file).stream()
                .map(line -> line.split(": ", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1])));
        return new KernelReads(figures.get("rchar"), figures.get("syscr"), figures.get("read_bytes"));
    }

    /** {@return what was read after this} */
    Optional<KernelReads> untilNow() {
        return soFar().map(now -> now.minus(this));
    }

    private KernelReads minus(KernelReads other) {
        return new KernelReads(bytes - other.bytes, calls - other.calls, deviceBytes - other.deviceBytes);
    }
}
