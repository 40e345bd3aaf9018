package dev.rechunker.exec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Where the temporary copy of a run is: in files of a directory, or in values of an object store. */
public sealed interface SpillPlace permits Spills, SpillValues {
    /** {@return the directory, if the copy is in files} */
    Optional<Path> localDirectory();

    /**
     * Refuses a place that cannot be written to, before anything else is written.
     *
     * @throws IOException if a trial fails
     */
    void tryOut() throws IOException;

    /** {@return the bytes of what an earlier process has left of this run, as far as they take room on this machine} */
    long bytes() throws IOException;

    /** Deletes everything of a run that can be gone on with; what is not kept goes by itself. */
    void delete() throws IOException;
}
