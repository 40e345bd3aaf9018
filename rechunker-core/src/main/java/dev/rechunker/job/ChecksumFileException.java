package dev.rechunker.job;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;

/** Thrown if the file for the checksums of a copy cannot be written. The copy itself is complete. */
final class ChecksumFileException extends IOException {
    private static final long serialVersionUID = 1L;

    ChecksumFileException(Path file, IOException cause) {
        super(
                "checksums cannot be written to " + file + ": " + StoreException.reasonWithoutFile(cause)
                        + "; the copy is complete",
                cause);
    }
}
