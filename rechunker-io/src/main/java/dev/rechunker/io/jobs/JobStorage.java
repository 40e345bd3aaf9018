package dev.rechunker.io.jobs;

import dev.rechunker.SharedRun;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The storage of a plan for several processes, and of the records of tasks that they have done. */
interface JobStorage {
    /** {@return the location of the plan, for messages} */
    String name();

    /** {@return the location of an existing plan, or of its records; empty if there is none} */
    Optional<String> existing() throws IOException;

    /** An action of {@link #write}. */
    interface Step {
        void run() throws IOException;
    }

    /** Writes a plan after a step has succeeded. The step is not run if the plan cannot be written. */
    void write(byte[] plan, Step before) throws IOException;

    /** Replaces the plan in one step. */
    void replace(byte[] plan) throws IOException;

    /** {@return the plan; empty if there is none} */
    Optional<byte[]> read() throws IOException;

    /** {@return the records of this process, with those that other processes have written so far} */
    Records join(SharedRun run) throws IOException;

    /** {@return whether a file is visible in the directory of the plan, which its user has named} */
    boolean isBeside(Path file);

    /** Deletes the records of all processes. */
    void deleteRecords() throws IOException;

    /** The tasks that are done. */
    interface Records extends Closeable {
        /** {@return the records, for the run} */
        SharedRun.Records ofRun();

        /** Makes what was recorded visible to processes that join later. */
        void publish() throws IOException;
    }
}
