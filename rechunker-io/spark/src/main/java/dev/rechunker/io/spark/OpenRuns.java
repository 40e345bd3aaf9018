package dev.rechunker.io.spark;

import dev.rechunker.SharedRun;
import dev.rechunker.io.jobs.JobFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The open runs in one JVM, which tasks of the same run share. A run is planned once, and is closed when a task of
 * another run starts and no task uses it. Nothing else is kept between tasks in the JVM of an executor.
 */
final class OpenRuns {
    /** The open runs of this JVM; Spark provides no other place for objects that tasks share. */
    static final OpenRuns OF_THIS_JVM = new OpenRuns();

    private final Map<String, Entry> runs = new HashMap<>();

    private static final class Entry {
        private final SharedRun run;
        private int users;

        Entry(SharedRun run) {
            this.run = run;
        }
    }

    private OpenRuns() {}

    /** An action on a run. */
    interface Work<T> {
        T with(SharedRun run) throws IOException, InterruptedException;
    }

    /**
     * {@return the result of an action on the run with an identifier, which is opened by its JSON description if it is
     * not open}
     */
    <T> T use(String id, String description, Work<T> work) throws IOException, InterruptedException {
        Entry entry = acquire(id, description);
        try {
            return work.with(entry.run);
        } finally {
            release(entry);
        }
    }

    private synchronized Entry acquire(String id, String description) throws IOException {
        Entry entry = runs.get(id);
        if (entry == null) {
            closeIdle();
            entry = new Entry(JobFile.parse(description));
            runs.put(id, entry);
        }
        entry.users++;
        return entry;
    }

    private synchronized void release(Entry entry) {
        entry.users--;
    }

    private void closeIdle() throws IOException {
        for (Iterator<Entry> entries = runs.values().iterator(); entries.hasNext(); ) {
            Entry entry = entries.next();
            if (entry.users == 0) {
                entries.remove();
                entry.run.close();
            }
        }
    }
}
