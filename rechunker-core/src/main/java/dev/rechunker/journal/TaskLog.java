package dev.rechunker.journal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is done of one array: what an earlier run has recorded, and what is recorded from now on. */
public final class TaskLog {
    private static final int MOST_CORRUPT = 1000;

    private final @Nullable Journal journal;
    private final int array;
    private final Map<Integer, TaskRanges> done = new TreeMap<>();
    private final TaskRanges corrupt = new TaskRanges(TaskRanges.MOST);
    private final int mostRanges;
    private Guard guard = () -> {};

    /** What may refuse to record a task. */
    @FunctionalInterface
    public interface Guard {
        /** Refuses. */
        void require() throws IOException;
    }

    TaskLog(@Nullable Journal journal, int array, int mostRanges) {
        this.journal = journal;
        this.array = array;
        this.mostRanges = mostRanges;
    }

    /** {@return a log that knows nothing, and records nothing} */
    public static TaskLog none() {
        return new TaskLog(null, 0, TaskRanges.MOST);
    }

    void replayDone(int stage, long task) {
        done.computeIfAbsent(stage, s -> new TaskRanges(mostRanges)).add(task);
    }

    void know(TaskLog other) {
        other.done.forEach((stage, tasks) ->
                done.computeIfAbsent(stage, s -> new TaskRanges(mostRanges)).addAll(tasks));
        corrupt.addAll(other.corrupt);
    }

    void replayCorrupt(long chunk) {
        corrupt.add(chunk);
    }

    void forgetTasks() {
        done.clear();
    }

    /** {@return the tasks of a stage that an earlier run has done} */
    public TaskRanges before(int stage) {
        return done.getOrDefault(stage, new TaskRanges(mostRanges));
    }

    /** {@return the ordinals of source chunks, at most 1000, that an earlier run could not decode and has left out} */
    public List<Long> corruptBefore() {
        return corrupt.listed(MOST_CORRUPT);
    }

    /** Has {@code guard} asked, from now on, before a task is recorded. */
    public void askBefore(Guard guard) {
        this.guard = guard;
    }

    /** Records that a task is done; everything it has written is stored. For any number of threads at once. */
    public void done(int stage, long task) throws IOException {
        if (journal != null) {
            guard.require();
            journal.append(Journal.Kind.TASK, array, stage, task);
        }
    }

    /** Records that a source chunk was left out; before the tasks that need it are done. */
    public void corrupt(long chunk) throws IOException {
        if (journal != null) {
            journal.append(Journal.Kind.CORRUPT, array, 0, chunk);
        }
    }

    /** Records that the array has been begun: what was there before is gone. */
    public void begun() throws IOException {
        if (journal != null) {
            journal.append(Journal.Kind.BEGUN, array, 0, 0);
        }
    }

    /** Records that the array exists. */
    public void committed() throws IOException {
        if (journal != null) {
            journal.append(Journal.Kind.COMMITTED, array, 0, 0);
        }
    }
}
