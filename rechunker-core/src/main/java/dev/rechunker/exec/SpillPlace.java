package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.run.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The place of the temporary copy of a run: files in a directory, or values in an object store. */
public sealed interface SpillPlace permits Spills, SpillValues {
    /** {@return the directory; empty if the copy is not in files} */
    Optional<Path> localDirectory();

    /**
     * Checks that the place can be written to, before anything else is written.
     *
     * @throws IOException if it cannot
     */
    void tryOut() throws IOException;

    /** Makes the place of a run that several processes share. They only use what is made here. */
    void begin() throws IOException;

    /**
     * Makes what processes share of an array, after {@link #begin}.
     *
     * @param array its number in the run
     */
    void createBlocks(int array, CopyPlan plan, ArraySpec source) throws IOException;

    /**
     * Checks that this process finds what was made with the plan.
     *
     * @throws RefusedException if not
     */
    void requireBegun() throws IOException;

    /** {@return the bytes on this machine that earlier processes of this run have written} */
    long bytes() throws IOException;

    /** Deletes the copy of a run that can be resumed. That of another run is deleted when the run ends. */
    void delete() throws IOException;
}
