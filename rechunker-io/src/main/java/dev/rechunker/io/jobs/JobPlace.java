package dev.rechunker.io.jobs;

import dev.rechunker.SharedRun;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** Where the plan of several processes is, and beside it what each of them has recorded. */
interface JobPlace {
    /** {@return where, for messages} */
    String name();

    /** {@return what is in the way of a new plan, empty if nothing is} */
    Optional<String> inTheWay() throws IOException;

    /** Something to do between a trial and the end of {@link #write}. */
    interface Step {
        void run() throws IOException;
    }

    /** Writes the plan when a step has succeeded, which is not begun if it cannot be written. */
    void write(byte[] plan, Step before) throws IOException;

    /** Replaces the plan in one step. */
    void replace(byte[] plan) throws IOException;

    /** {@return the plan, or empty if there is none} */
    Optional<byte[]> read() throws IOException;

    /** {@return the records of a process, which knows what all others have recorded by now} */
    Records join(SharedRun run) throws IOException;

    /** Removes what all processes have recorded. */
    void forget() throws IOException;

    /** What is done, by whomever. */
    interface Records extends Closeable {
        /** {@return the records, for the run} */
        SharedRun.Records ofRun();
    }
}
