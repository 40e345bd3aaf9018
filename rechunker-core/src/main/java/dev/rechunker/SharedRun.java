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
 * A run of one plan by several processes, on one machine or on many. A plan has one stage or more, each with tasks that
 * are numbered from 0; the caller decides which process runs which tasks.
 *
 * <pre>{@code
 * SharedRun run = SharedRun.of(plan);
 * run.begin();                                               // once; reserves the target
 * Map<String, Object> description = run.description();       // plain data, for the others
 *
 * SharedRun worker = SharedRun.open(description);            // in any process
 * worker.run(stage, from, to);                               // any tasks, in any order, also twice
 *
 * run.finish();                                              // once, when all tasks of all stages are done
 * }</pre>
 *
 * <p>A description is a few kilobytes of plain data without anything secret: what is needed to make the plan again.
 * Planning is deterministic. A process that opens the description reads the metadata of the source, plans again, and
 * compares the arrays and tasks with the description; if anything differs, it refuses. The elements of the source are
 * not compared.
 *
 * <p>A stage may begin when all tasks of the stage before are done. Tasks of one stage may run in any order, and a task
 * that was killed may run again: the bytes are the same. Each call of {@link #run} uses at most {@link Plan#maxMem()}
 * of memory for data. The temporary data of a plan with several stages (the spill) are as large as the arrays, and stay
 * where all processes can reach them until the run is finished.
 */
public final class SharedRun implements Closeable {
    private final SharedJob run;
    private final Plan plan;

    private SharedRun(SharedJob run, Plan plan) {
        this.run = run;
        this.plan = plan;
    }

    /** {@return a new run of a plan; the caller closes the stores of the plan} */
    public static SharedRun of(Plan plan) {
        return new SharedRun(SharedJob.of(plan.engine()), plan);
    }

    /**
     * {@return the run that a description describes; it opens its own stores, which {@link #close} closes}
     *
     * @throws RefusedException if planning again gives another plan; the message says what differs
     * @throws IOException if the description is malformed, or its stores cannot be opened
     */
    public static SharedRun open(Map<String, ?> description) throws IOException {
        SharedJob run = SharedJob.open(description);
        return new SharedRun(run, new Plan(run.plan()));
    }

    /**
     * {@return the run as plain data, from which other processes {@link #open} it: strings, numbers, booleans, lists
     * and maps}
     *
     * @throws RefusedException if other processes could not open it, for example because a store is in memory; the
     *     message says why
     */
    public Map<String, @Nullable Object> description() throws StoreException {
        return run.description();
    }

    /** {@return a unique name of this run} */
    public String id() {
        return run.id();
    }

    /** {@return the plan} */
    public Plan plan() {
        return plan;
    }

    /**
     * {@return the number of tasks of each stage, of all arrays together}
     *
     * <p>The tasks of a stage are numbered from 0, array by array.
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
     * Reserves the target for this run, and refuses one that exists. Until this run is finished, other runs into the
     * target are refused unless they overwrite it, if the target supports that.
     *
     * @throws RefusedException if the target exists, is reserved by another run, or there is no directory or object
     *     store for temporary data that all processes can reach
     */
    public void begin() throws IOException {
        run.begin();
    }

    /** {@return the executor of the job, with the number of threads that the plan was made for} */
    public Executor executor() {
        return run.executor();
    }

    /**
     * Checks that the target is reserved for this run, if the target supports that.
     *
     * @throws RefusedException if this run has not begun or is finished, or another run has begun there
     */
    public void requireBegun() throws IOException {
        run.requireBegun();
    }

    /** Runs the tasks {@code [from, to)} of a stage with as many threads as the plan is for, and records nothing. */
    public Report run(int stage, long from, long to) throws IOException, InterruptedException {
        return run.run(stage, from, to);
    }

    /**
     * Runs those of the tasks {@code [from, to)} of a stage that are not recorded as done, and records them. Until they
     * are done, no process can finish this run or begin another one there, if the target supports that.
     *
     * @return what was done
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws RefusedException if this run has not begun or is finished, or another run has begun at its target
     * @throws dev.rechunker.run.TaskFailedException if a task fails
     * @throws StoreException if chunks of a source were missing because the source does not exist any more
     * @throws InterruptedException if interrupted, after what was in progress has ended
     */
    public Report run(int stage, long from, long to, Executor executor, ProgressListener listener, Records records)
            throws IOException, InterruptedException {
        return run.run(stage, from, to, executor, listener, records.journal::array);
    }

    /**
     * Makes the arrays and groups visible to readers, and removes temporary data. May be called again if the process
     * was killed.
     *
     * <p>The caller must make sure that all tasks of all stages are done: what was not done is missing from the target.
     *
     * @return a report in which all tasks count as {@linkplain Report#tasksDoneBefore() done before}
     * @throws RefusedException if this run has not begun, or another run has begun at its target
     * @throws dev.rechunker.run.VerificationException if verification finds an element that differs
     */
    public Report finish() throws IOException, InterruptedException {
        return finish(0);
    }

    /**
     * Finishes the run as {@link #finish()} does, and sets the measured memory of the report.
     *
     * @param measuredMemory the largest {@link Report#measuredMemory()} of all processes; 0 if it is not known
     */
    public Report finish(long measuredMemory) throws IOException, InterruptedException {
        return run.finish(measuredMemory);
    }

    /** Closes the stores that {@link #open} opened. */
    @Override
    public void close() throws IOException {
        run.close();
    }

    /**
     * {@return the records for this process, which include everything that other processes have recorded so far}
     *
     * @param directory the directory in which all processes of the run keep their records; created if necessary
     */
    public Records records(Path directory) throws IOException {
        return new Records(SharedJournal.join(directory, run.id(), run.isDurable()));
    }

    /** Deletes the records of all processes, and the directory if it is then empty. */
    public static void deleteRecords(Path directory) throws IOException {
        SharedJournal.deleteAll(directory);
    }

    /**
     * The record of the tasks that are done, by any process. Each process has a file in a common directory, and reads
     * the files of the others once, when it opens its own.
     */
    public static final class Records implements Closeable {
        private final SharedJournal journal;

        private Records(SharedJournal journal) {
            this.journal = journal;
        }

        /** Makes what was recorded visible to processes that open their records later, also on other machines. */
        public void force() throws IOException {
            journal.force();
        }

        /** Closes the file of this process, and deletes it if nothing was recorded. */
        @Override
        public void close() throws IOException {
            journal.close();
        }
    }
}
