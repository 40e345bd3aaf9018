package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The option {@code --checksums}, which may name a file, or be {@code contents}: three options of a job in one. */
final class ChecksumOption {
    private static final String CONTENTS = "contents";

    private final Arg<String> checksums;

    ChecksumOption(Command command) {
        checksums = command.attached(
                "--checksums",
                "FILE|contents",
                "",
                "Print a checksum of the stored bytes of each array. With a file, also write the checksum of each"
                        + " chunk or shard to it. With the word contents, print a checksum of the elements of each array"
                        + " instead, which does not depend on chunks, codecs and format.");
    }

    /** {@return the file for the checksums, or null} */
    @Nullable
    String file() {
        String file = checksums.value();
        return CONTENTS.equals(file) ? null : file;
    }

    /** {@return the job with the checksums that are asked for} */
    Rechunker.Job in(Rechunker.Job job) {
        String file = checksums.value();
        if (CONTENTS.equals(file)) {
            return job.checksumContents();
        }
        return file == null ? job : file.isEmpty() ? job.checksums() : job.checksums(Path.of(file));
    }
}
