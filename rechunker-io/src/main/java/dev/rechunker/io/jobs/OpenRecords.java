package dev.rechunker.io.jobs;

import dev.rechunker.run.TaskRange;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The open records of this process, for the stages of which it has run tasks. They have what others had recorded when
 * they were opened, so records are opened again for tasks that were tried here before. Threads share them.
 */
final class OpenRecords implements Closeable {
    private final Map<Integer, OfStage> stages = new HashMap<>();
    private final List<JobStorage.Records> replaced = new ArrayList<>();

    /**
     * The records of a stage.
     *
     * @param tried the tasks that were to be run with these records
     */
    private record OfStage(JobStorage.Records records, List<TaskRange> tried) {
        boolean hasTried(long from, long to) {
            return tried.stream().anyMatch(range -> range.from() < to && from < range.to());
        }
    }

    /** Opens records. */
    interface Opening {
        JobStorage.Records open() throws IOException;
    }

    /** {@return the records for the tasks {@code [from, to)} of a stage, which are opened if necessary} */
    synchronized JobStorage.Records of(int stage, long from, long to, Opening opening) throws IOException {
        OfStage open = stages.get(stage);
        if (open == null || open.hasTried(from, to)) {
            JobStorage.Records records = opening.open();
            if (open != null) {
                replaced.add(open.records); // other threads may use them
            }
            open = new OfStage(records, new ArrayList<>());
            stages.put(stage, open);
        }
        if (from < to) {
            open.tried.add(new TaskRange(from, to));
        }
        return open.records;
    }

    /** Closes records that cannot be used any more. */
    synchronized void forget(JobStorage.Records broken) throws IOException {
        boolean known = stages.values().removeIf(stage -> stage.records == broken) || replaced.remove(broken);
        if (known) {
            broken.close();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        stages.values().forEach(stage -> replaced.add(stage.records));
        stages.clear();
        IOException failure = null;
        for (JobStorage.Records records : replaced) {
            try {
                records.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        replaced.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
