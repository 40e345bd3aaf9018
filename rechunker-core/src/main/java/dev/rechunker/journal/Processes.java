package dev.rechunker.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Names of processes, by which another process on the same system can tell whether they have ended. */
public final class Processes {
    private static final String SYSTEM = findSystem();

    private Processes() {}

    /**
     * {@return an identifier of the system in which process numbers are valid: this machine since its start, and its
     * container; a random one where that is unknown}
     */
    public static String system() {
        return SYSTEM;
    }

    private static String findSystem() {
        try {
            String here = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
            UUID hash = UUID.nameUUIDFromBytes(here.getBytes(StandardCharsets.UTF_8));
            return hash.toString().replace("-", "");
        } catch (IOException | UnsupportedOperationException e) {
            return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        }
    }

    /** {@return the name of this process: its system, its number, and the time of its start} */
    static String own() {
        return SYSTEM + " " + named(ProcessHandle.current());
    }

    private static String named(ProcessHandle process) {
        return process.pid() + "."
                + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** {@return whether the process of a name is alive; empty if it is on another system} */
    static Optional<Boolean> isAlive(String name) {
        String[] parts = name.split("[ .]", -1);
        if (parts.length != 3 || !parts[0].equals(SYSTEM)) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts[1]);
        return Optional.of(ProcessHandle.of(number)
                .filter(process -> name.equals(SYSTEM + " " + named(process)))
                .isPresent());
    }
}
