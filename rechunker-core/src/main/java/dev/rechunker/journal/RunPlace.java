package dev.rechunker.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** A place at a target that is used by one run at a time, and contains its journal. */
public sealed interface RunPlace extends Closeable permits RunDirectory, RemoteRun {
    /** {@return where it is, for messages} */
    String name();

    /** {@return whether the place still exists, and no other run has taken it} */
    boolean exists() throws IOException;

    /** {@return whether the place has a journal of an earlier run} */
    boolean hasJournal();

    /** {@return the journal of an earlier run, opened for appending, or empty if there is none that can be read} */
    Optional<Journal> journal(boolean durable) throws IOException;

    /** {@return a new journal, which replaces an existing one} */
    Journal createJournal(String header, boolean durable) throws IOException;

    /** Deletes the journal, if there is one. */
    void deleteJournal() throws IOException;
}
