package dev.rechunker.io.bytes;

import dev.rechunker.journal.RunDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The names of files that are not committed yet. They say which process a file is of, and where the number of that
 * process means something: other machines see the file, but not the process.
 */
final class TemporaryName {
    private static final String HOME = home();

    private TemporaryName() {}

    /** {@return a name beside a file that nobody else uses} */
    static Path beside(Path file) {
        return file.resolveSibling(
                Keys.TEMPORARY + HOME + "-" + ProcessHandle.current().pid() + "-" + random());
    }

    /** Gives a file that is complete its own name in one step; {@code durable} if that is to be on the device. */
    static void replace(Path temporary, Path file, boolean durable) throws IOException {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (durable) {
            RunDirectory.forceNames(DirectoryPaths.parent(file));
        }
    }

    /** {@return whether the name is of a process that is certainly gone} */
    static boolean isOrphan(String name) {
        return isOfHere(name) && !isAlive(name);
    }

    /** {@return whether the name is of something not committed, but not of a process that is certainly alive} */
    static boolean isLeft(String name) {
        return name.startsWith(Keys.TEMPORARY) && !(isOfHere(name) && isAlive(name));
    }

    private static boolean isOfHere(String name) {
        return name.startsWith(Keys.TEMPORARY + HOME + "-");
    }

    private static boolean isAlive(String ofHere) {
        String[] parts = ofHere.split("-");
        return ProcessHandle.of(Long.parseLong(parts[parts.length - 2])).isPresent();
    }

    /**
     * {@return where numbers of processes are those that this one sees: the machine since its start, and in it the
     * container; or something that no other process has, where that cannot be told}
     */
    private static String home() {
        try {
            String here = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
            UUID hash = UUID.nameUUIDFromBytes(here.getBytes(StandardCharsets.UTF_8));
            return hash.toString().replace("-", "");
        } catch (IOException | UnsupportedOperationException e) {
            return random();
        }
    }

    private static String random() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }
}
