package dev.rechunker.io.spark;

import dev.rechunker.SharedRun;
import dev.rechunker.io.jobs.JobFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The runs that the tasks of one JVM have open: planned once, and closed when tasks of another run come and nobody uses
 * them any more. All that the JVM of an executor keeps from task to task.
 */
final class OpenRuns {
    /** An executor has no other place for what its tasks share. */
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

    /** What is done with a run. */
    interface Work<T> {
        T with(SharedRun run) throws IOException, InterruptedException;
    }

    /** {@return what is done with the run of this name, which its description in JSON opens if need be} */
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
