package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The option {@code --checksums}, which may name a file: two options of a job in one. */
final class ChecksumOption {
    private final Arg<String> checksums;

    ChecksumOption(Command command) {
        checksums = command.attached(
                "--checksums",
                "FILE",
                "",
                "Print a checksum of the stored bytes of each array. With a file, also write the checksum of each"
                        + " chunk or shard to it.");
    }

    /** {@return the file for the checksums, or null} */
    @Nullable
    String file() {
        return checksums.value();
    }

    /** {@return the job with the checksums that are asked for} */
    Rechunker.Job in(Rechunker.Job job) {
        String file = checksums.value();
        return file == null ? job : file.isEmpty() ? job.checksums() : job.checksums(Path.of(file));
    }
}
