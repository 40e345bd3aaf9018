package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The system's cache of files. */
public final class PageCache {
    private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

    private PageCache() {}

    /** Writes what the cache holds to the devices, so that no program waits for the bytes of another one. */
    static void flush() throws InterruptedException {
        try {
            new ProcessBuilder("sync").start().waitFor();
        } catch (IOException e) {
            return; // there is no such command on this system
        }
    }

    /**
     * Empties the cache, so that files are read from the devices.
     *
     * @throws IOException if the system has no such function, or this user is not allowed to use it
     */
    public static void drop() throws IOException, InterruptedException {
        flush();
        Files.writeString(DROP, "3");
    }
}
