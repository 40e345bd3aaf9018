package dev.rechunker.io.bytes;

import dev.rechunker.journal.Processes;
import dev.rechunker.journal.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The names of uncommitted files. They contain the number of the process that writes the file, and an identifier of the
 * machine and container in which that number is valid: other machines see the file, but not the process.
 */
final class TemporaryName {
    private static final String SYSTEM = Processes.system();

    private TemporaryName() {}

    /** {@return a unique name in the directory of a file} */
    static Path beside(Path file) {
        return file.resolveSibling(
                Keys.TEMPORARY + SYSTEM + "-" + ProcessHandle.current().pid() + "-" + random());
    }

    /** Renames a complete file to its final name in one step; {@code durable} if the new name must be on the device. */
    static void replace(Path temporary, Path file, boolean durable) throws IOException {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (durable) {
            RunDirectory.forceNames(DirectoryPaths.parent(file));
        }
    }

    /** {@return whether the name is of a process that is certain to have ended} */
    static boolean isOrphan(String name) {
        return isOfThisSystem(name) && !isAlive(name);
    }

    /** {@return whether the name is of an uncommitted file whose process is not certain to be alive} */
    static boolean mayBeAbandoned(String name) {
        return name.startsWith(Keys.TEMPORARY) && !(isOfThisSystem(name) && isAlive(name));
    }

    private static boolean isOfThisSystem(String name) {
        return name.startsWith(Keys.TEMPORARY + SYSTEM + "-");
    }

    private static boolean isAlive(String name) {
        String[] parts = name.split("-");
        return ProcessHandle.of(Long.parseLong(parts[parts.length - 2])).isPresent();
    }

    private static String random() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }
}
