package dev.rechunker.journal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of a journal that concerns one array: the tasks that earlier runs finished, and a recorder for new ones. */
public final class TaskLog {
    private static final int MOST_CORRUPT = 1000;

    private final @Nullable Journal journal;
    private final int array;
    private final Map<Integer, TaskRanges> done = new TreeMap<>();
    private final TaskRanges corrupt = new TaskRanges(TaskRanges.MOST);
    private final int mostRanges;
    private Guard guard = () -> {};

    /** A check that must pass before a task is recorded. */
    @FunctionalInterface
    public interface Guard {
        /** Throws if the task must not be recorded. */
        void check() throws IOException;
    }

    TaskLog(@Nullable Journal journal, int array, int mostRanges) {
        this.journal = journal;
        this.array = array;
        this.mostRanges = mostRanges;
    }

    /** {@return a log without tasks that discards what is recorded} */
    public static TaskLog none() {
        return new TaskLog(null, 0, TaskRanges.MOST);
    }

    void replayDone(int stage, long task) {
        done.computeIfAbsent(stage, s -> new TaskRanges(mostRanges)).add(task);
    }

    void addAll(TaskLog other) {
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

    /** {@return the tasks of a stage that earlier runs have done} */
    public TaskRanges doneBefore(int stage) {
        return done.getOrDefault(stage, new TaskRanges(mostRanges));
    }

    /** {@return the ordinals of at most 1000 source chunks that earlier runs could not decode and have left out} */
    public List<Long> corruptBefore() {
        return corrupt.listed(MOST_CORRUPT);
    }

    /** Sets the check that must pass before a task is recorded. */
    public void setGuard(Guard guard) {
        this.guard = guard;
    }

    /** Records that a task is done. Everything that it wrote must be stored. Thread-safe. */
    public void recordTask(int stage, long task) throws IOException {
        if (journal != null) {
            guard.check();
            journal.append(Journal.Kind.TASK, array, stage, task);
        }
    }

    /** Records that a source chunk was left out. To be called before tasks that need the chunk are recorded. */
    public void recordCorrupt(long chunk) throws IOException {
        if (journal != null) {
            journal.append(Journal.Kind.CORRUPT, array, 0, chunk);
        }
    }

    /**
     * Records that writing the array has started, so that an array that existed before is gone.
     *
     * @param creation the number of the creation of the array
     */
    public void recordBegun(long creation) throws IOException {
        if (journal != null) {
            journal.append(Journal.Kind.BEGUN, array, 0, creation);
        }
    }

    /** Records that the array is committed: it exists, and is complete. */
    public void recordCommitted() throws IOException {
        if (journal != null) {
            journal.append(Journal.Kind.COMMITTED, array, 0, 0);
        }
    }
}
