package dev.rechunker;

import dev.rechunker.job.SharedJob;
import dev.rechunker.journal.SharedJournal;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskRange;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run of one plan by several processes, on one machine or on many.
 *
 * <pre>{@code
 * SharedRun run = SharedRun.of(plan);
 * run.begin();                                               // once; takes the target
 * Map<String, Object> description = run.description();       // plain data, for the others
 *
 * SharedRun worker = SharedRun.open(description);            // in any process
 * worker.run(stage, from, to);                               // any tasks, in any order, also twice
 *
 * run.finish();                                              // once, when all tasks of all stages are done
 * }</pre>
 *
 * <p>A description is what planning needs, a few kilobytes without anything secret, not the geometry: planning is
 * deterministic, so a process that opens the description plans again, compares the {@linkplain Plan tasks} and what
 * each array is and becomes, and refuses if anything differs. So every process looks at the source, but its data are
 * not compared.
 *
 * <p>The caller begins a stage when all tasks of the one before are done; tasks of one stage need no order. A task that
 * is done twice, or was killed, leaves the same bytes. Each call of {@link #run} holds at most {@link Plan#maxMem()}.
 * The spill, if there is one, is as large as the arrays, in a directory that all processes share, until the run is
 * finished.
 */
public final class SharedRun implements Closeable {
    private final SharedJob run;
    private final Plan plan;

    private SharedRun(SharedJob run, Plan plan) {
        this.run = run;
        this.plan = plan;
    }

    /** {@return a new run of a plan; its stores stay those of the caller} */
    public static SharedRun of(Plan plan) {
        return new SharedRun(SharedJob.of(plan.engine()), plan);
    }

    /**
     * {@return the run of a description, with stores of its own}
     *
     * @throws RefusedException if the plan would not be the same any more; the message says what differs
     * @throws IOException if the description is malformed, or its stores cannot be opened
     */
    public static SharedRun open(Map<String, ?> description) throws IOException {
        SharedJob run = SharedJob.open(description);
        return new SharedRun(run, new Plan(run.plan()));
    }

    /**
     * {@return the run as plain data: texts, numbers, booleans, lists and maps}
     *
     * @throws RefusedException if another process could not open it, as a store in memory; the message says why
     */
    public Map<String, @Nullable Object> description() throws StoreException {
        return run.description();
    }

    /** {@return the name of this run, which no other run has} */
    public String id() {
        return run.id();
    }

    /** {@return the plan} */
    public Plan plan() {
        return plan;
    }

    /**
     * {@return how many tasks each stage has, of all arrays together}
     *
     * <p>They are numbered from 0, those of the first array first.
     */
    public List<Long> tasks() {
        return run.tasks();
    }

    /** {@return the tasks of a stage that are not recorded as done, as ranges, in order} */
    public List<TaskRange> missing(int stage, Records records) {
        return run.missing(stage, records.journal::array).stream()
                .map(span -> new TaskRange(span.from(), span.to()))
                .toList();
    }

    /**
     * Takes the target for this run: refuses what is there, and notes that it is being written. Until the run is
     * finished no other run writes there, as far as the target can tell.
     *
     * @throws RefusedException if the target exists, another run has it, or processes have no common place for the
     *     spill
     */
    public void begin() throws IOException {
        run.begin();
    }

    /** {@return the executor that the plan is for} */
    public Executor executor() {
        return run.executor();
    }

    /**
     * Refuses to continue if the target is not this run's, as far as it can tell.
     *
     * @throws RefusedException if the run has not begun, or is finished, or another one was begun there
     */
    public void requireBegun() throws IOException {
        run.requireBegun();
    }

    /** Runs the tasks {@code [from, to)} of a stage with as many threads as the plan is for, and records nothing. */
    public Report run(int stage, long from, long to) throws IOException, InterruptedException {
        return run.run(stage, from, to);
    }

    /**
     * Runs those of the tasks {@code [from, to)} of a stage that are not recorded as done, and records them. Meanwhile
     * no process can finish the run, or begin another one there, as far as the target can tell.
     *
     * @return what was done
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws RefusedException if the run has not begun, or is finished, or something else was begun at its target
     * @throws dev.rechunker.run.TaskFailedException if a task fails
     * @throws StoreException if chunks of a source were missing, and the source is not there any more
     * @throws InterruptedException if interrupted, after what was in progress has ended
     */
    public Report run(int stage, long from, long to, Executor executor, ProgressListener listener, Records records)
            throws IOException, InterruptedException {
        return run.run(stage, from, to, executor, listener, records.journal::array);
    }

    /**
     * Makes the arrays and groups exist, and removes what the run needed. May be called again if it was killed.
     *
     * <p>The caller has to know that all tasks of all stages are done: what was not done is missing from the target.
     *
     * @return the report, whose tasks were done before
     * @throws RefusedException if the run has not begun, or something else was begun at its target
     * @throws dev.rechunker.run.VerificationException if an element that was to be verified differs
     */
    public Report finish() throws IOException, InterruptedException {
        return finish(0);
    }

    /**
     * As {@link #finish()}.
     *
     * @param held the most bytes that a process held for its tasks, for the report, if it was gathered
     */
    public Report finish(long held) throws IOException, InterruptedException {
        return run.finish(held);
    }

    /** Closes the stores that {@link #open} opened. */
    @Override
    public void close() throws IOException {
        run.close();
    }

    /**
     * {@return the records of this process, which contain everything that other processes have recorded so far}
     *
     * @param directory where all processes of the run keep their records; created if necessary
     */
    public Records records(Path directory) throws IOException {
        return new Records(SharedJournal.join(directory, run.id(), run.isDurable()));
    }

    /** Deletes the records of all processes, and the directory if it is then empty. */
    public static void deleteRecords(Path directory) throws IOException {
        SharedJournal.deleteAll(directory);
    }

    /**
     * Which tasks of a run are done, by any process: a file of each process in a common directory. Processes read the
     * files of the others once, when they open their own.
     */
    public static final class Records implements Closeable {
        private final SharedJournal journal;

        private Records(SharedJournal journal) {
            this.journal = journal;
        }

        /** Closes the file of this process, and deletes it if nothing was recorded. */
        @Override
        public void close() throws IOException {
            journal.close();
        }
    }
}
