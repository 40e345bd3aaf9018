package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The options {@code --verify} and {@code --checksums}, for checks after the copy. */
final class CheckOptions {
    private final Arg<String> verify;
    private final Arg<String> checksums;

    CheckOptions(Command command) {
        verify = command.attached(
                "--verify",
                "SHARE",
                "1",
                "Read source and target again after the copy, completely or a share such as 0.01, and fail if an"
                        + " element differs.");
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

    /** {@return the job with the checks that are given} */
    Rechunker.Job in(Rechunker.Job job) {
        Rechunker.Job checked = job;
        String share = verify.value();
        if (share != null) {
            try {
                checked = checked.verify(Double.parseDouble(share));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--verify=" + share + " is not a share; write a number above 0 and at most 1");
            }
        }
        String file = checksums.value();
        if (file != null) {
            checked = file.isEmpty() ? checked.checksums() : checked.checksums(Path.of(file));
        }
        return checked;
    }
}
