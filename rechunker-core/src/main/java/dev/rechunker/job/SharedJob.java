package dev.rechunker.job;

import com.google.common.io.Closer;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A run of one plan by several processes, on one machine or on many. */
public final class SharedJob implements Closeable {
    private final String id;
    private final JobPlan plan;
    private final List<Closeable> stores;
    private final Options options;

    private SharedJob(String id, JobPlan plan, List<Closeable> stores) {
        this.id = id;
        this.plan = plan;
        this.stores = stores;
        this.options = plan.options();
    }

    /** {@return a new run of a plan; the caller closes the stores} */
    public static SharedJob of(JobPlan plan) {
        return new SharedJob("rechunk-" + UUID.randomUUID(), plan, List.of());
    }

    /**
     * {@return the run that a description describes, with stores of its own}
     *
     * @throws RefusedException if planning again gives another plan; the message says what differs
     * @throws IOException if the description is malformed, or its stores cannot be opened
     */
    public static SharedJob open(Map<String, ?> description) throws IOException {
        JobDescription.Opened opened = JobDescription.open(description);
        return new SharedJob(opened.run(), opened.plan(), opened.stores());
    }

    /**
     * {@return the run as plain data: texts, numbers, booleans, lists and maps}
     *
     * @throws RefusedException if another process could not open it; the message says why
     */
    public Map<String, @Nullable Object> description() throws StoreException {
        return JobDescription.of(id, plan);
    }

    /** {@return a unique name of this run} */
    public String id() {
        return id;
    }

    /** {@return the plan} */
    public JobPlan plan() {
        return plan;
    }

    /**
     * {@return the number of tasks of each stage, of all arrays together}
     *
     * <p>The tasks of a stage are numbered from 0, array by array.
     */
    public List<Long> tasks() {
        List<Long> tasks = new ArrayList<>();
        for (JobArray array : plan.arrays()) {
            for (int stage = 0; stage < array.copy().stages().size(); stage++) {
                if (stage == tasks.size()) {
                    tasks.add(0L);
                }
                tasks.set(
                        stage,
                        tasks.get(stage) + array.copy().stages().get(stage).tasks());
            }
        }
        return tasks;
    }

    /**
     * {@return those tasks of a stage that are not done, as ranges, in order}
     *
     * @param logs the log of each array
     */
    public List<TaskRanges.Span> missing(int stage, IntFunction<TaskLog> logs) {
        List<TaskRanges.Span> missing = new ArrayList<>();
        long first = 0;
        for (int i = 0; i < plan.arrays().size(); i++) {
            List<Stage> stages = plan.arrays().get(i).copy().stages();
            long tasks = stage < stages.size() ? stages.get(stage).tasks() : 0;
            if (tasks > 0) {
                for (TaskRanges.Span span : logs.apply(i).doneBefore(stage).missing(0, tasks)) {
                    missing.add(new TaskRanges.Span(first + span.from(), first + span.to()));
                }
            }
            first += tasks;
        }
        return missing;
    }

    /**
     * Reserves the target for this run, and refuses one that exists. Until this run is finished, other runs into the
     * target are refused unless they overwrite it, if the target supports that.
     *
     * @throws RefusedException if the target exists, is reserved by another run, or there is no directory or object
     *     store for the spill that all processes can reach
     */
    public void begin() throws IOException {
        description(); // refuses stores that other processes cannot open
        ChecksumFile.requireWritable(options.get(Option.CHECKSUM_FILE));
        ChecksumFile.requireReplaceable(options.get(Option.CHECKSUM_FILE));
        SharedTarget.begin(id, plan, spills());
    }

    /** {@return the executor that the plan was made for} */
    public Executor executor() {
        return options.executor();
    }

    /** {@return whether data are forced to the device before they are recorded as done} */
    public boolean isDurable() {
        return options.get(Option.DURABLE);
    }

    /**
     * Checks that the target is reserved for this run, if the target supports that.
     *
     * @throws RefusedException if this run has not begun or is finished, or another run has begun there
     */
    public void requireBegun() throws IOException {
        SharedTarget.requireBegun(id, plan);
    }

    /** Runs the tasks {@code [from, to)} of a stage with as many threads as the plan is for, and records nothing. */
    public Report run(int stage, long from, long to) throws IOException, InterruptedException {
        return run(stage, from, to, executor(), ProgressListener.NONE, array -> TaskLog.none());
    }

    /**
     * Runs those of the tasks {@code [from, to)} of a stage that are not recorded as done, and records them. Until they
     * are done, no process can finish this run or begin another one there, if the target supports that.
     *
     * @param logs the log of each array
     * @return what was done
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws RefusedException if this run has not begun or is finished, or another run has begun at its target
     * @throws dev.rechunker.run.TaskFailedException if a task fails
     * @throws StoreException if chunks of a source were missing because the source does not exist any more
     * @throws InterruptedException if interrupted, after what was in progress has ended
     */
    @SuppressWarnings("try") // the joined target stays locked, and is not used otherwise
    public Report run(
            int stage, long from, long to, Executor executor, ProgressListener listener, IntFunction<TaskLog> logs)
            throws IOException, InterruptedException {
        requireTasks(stage, from, to);
        try (Closeable joined = SharedTarget.join(id, plan)) {
            return runTasks(stage, from, to, executor, listener, logs);
        }
    }

    private Report runTasks(
            int stage, long from, long to, Executor executor, ProgressListener listener, IntFunction<TaskLog> logs)
            throws IOException, InterruptedException {
        if (options.get(Option.DURABLE)) {
            plan.makeDurable();
        }
        List<Share> shares = shares(stage, from, to);
        RunContext context = RunContext.of(plan, executor, listener, to - from, bytesToMove(shares, stage));
        SpillPlace spills = spills();
        if (plan.spillPeakBytes() > 0) {
            context.attempts().run(spills::requireBegun);
        }
        ArrayCopies copies = new ArrayCopies(plan, spills, context.attempts(), context.corrupt());
        List<SharedTasks> works = shares.stream()
                .map(share -> new SharedTasks(context, share.array(), stage, share.tasks(), logs.apply(share.array())))
                .toList();
        String tasks = "running tasks " + from + " to " + (to - 1) + " of stage " + stage + " of copying "
                + plan.source("") + " to " + plan.target("");
        try {
            new ArrayLoop(context, copies).run(works, ArraysAtOnce.none(plan.arrays()));
        } catch (InterruptedException e) {
            throw FailureMessage.interruptedTasks(e, tasks, context.monitor().tasksDone(), to - from);
        } catch (IOException e) {
            if (Thread.interrupted()) { // which makes operations on files fail
                throw FailureMessage.interruptedTasks(
                        e, tasks, context.monitor().tasksDone(), to - from);
            }
            throw e;
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            throw FailureMessage.ofTasks(e, tasks);
        }
        context.monitor().end();
        return context.report(List.of()).build();
    }

    /**
     * The part of some tasks of a stage that belongs to one array.
     *
     * @param array the number of the array
     * @param tasks the tasks, by their numbers within the array
     */
    private record Share(int array, TaskRanges.Span tasks) {}

    /** {@return the tasks {@code [from, to)} of a stage, array by array} */
    private List<Share> shares(int stage, long from, long to) {
        List<Share> shares = new ArrayList<>();
        long first = 0;
        for (int i = 0; i < plan.arrays().size() && first < to; i++) {
            List<Stage> stages = plan.arrays().get(i).copy().stages();
            long end = first + (stage < stages.size() ? stages.get(stage).tasks() : 0);
            TaskRanges.Span tasks = new TaskRanges.Span(Math.max(first, from) - first, Math.min(end, to) - first);
            if (tasks.from() < tasks.to()) {
                shares.add(new Share(i, tasks));
            }
            first = end;
        }
        return shares;
    }

    /**
     * {@return the approximate number of bytes that are read and written; all stages of an array, and all tasks of a
     * stage, are taken to move the same number}
     */
    private long bytesToMove(List<Share> shares, int stage) {
        double bytes = 0;
        for (Share share : shares) {
            CopyPlan copy = plan.arrays().get(share.array()).copy();
            double ofStage = (copy.cost().bytesRead() + copy.cost().bytesWritten())
                    / copy.stages().size();
            bytes += ofStage * share.tasks().count() / copy.stages().get(stage).tasks();
        }
        return (long) bytes;
    }

    private void requireTasks(int stage, long from, long to) {
        List<Long> tasks = tasks();
        if (stage < 0 || stage >= tasks.size()) {
            throw new IndexOutOfBoundsException("there is no stage " + stage + ": the plan has " + tasks.size()
                    + (tasks.size() == 1 ? " stage" : " stages"));
        }
        if (from < 0 || from > to || to > tasks.get(stage)) {
            throw new IndexOutOfBoundsException("there are no tasks " + from + " to " + to + " of stage " + stage
                    + ", which has " + tasks.get(stage));
        }
    }

    /** {@return the place of the spill, which is the same for all processes} */
    private SpillPlace spills() throws IOException {
        return Recovery.spills(options, spillDirectory(), id);
    }

    private Path spillDirectory() throws IOException {
        StoreLocation target = plan.target("");
        Optional<Path> chosen = options.get(Option.SPILL);
        if (chosen.isPresent()) {
            return chosen.get();
        }
        Optional<Path> work = Recovery.directory(target);
        if (plan.spillPeakBytes() > 0
                && work.isEmpty()
                && options.get(Option.SPILL_STORE).isEmpty()) {
            throw new RefusedException(
                    "the plan has a spill, which all processes must be able to reach",
                    Advice.of("shared-spill", "name a directory that they share, or an object store, with spill(...)"),
                    Advice.NO_SPILL);
        }
        return work.orElse(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Makes the arrays and groups visible to readers, and removes temporary data. May be called again if the process
     * was killed.
     *
     * <p>The caller must make sure that all tasks of all stages are done: what was not done is missing from the target.
     *
     * @return a report in which all tasks count as done before
     * @throws RefusedException if this run has not begun, another run has begun at its target, or the file for
     *     checksums exists and contains something else
     * @throws dev.rechunker.run.VerificationException if verification finds an element that differs
     */
    public Report finish() throws IOException, InterruptedException {
        return finish(0);
    }

    /**
     * Finishes the run as {@link #finish()} does, and sets the measured memory of the report.
     *
     * @param measuredMemory the most memory that a process used for its tasks; 0 if it is not known
     */
    public Report finish(long measuredMemory) throws IOException, InterruptedException {
        ChecksumFile.requireReplaceable(options.get(Option.CHECKSUM_FILE));
        return SharedTarget.finish(id, plan, spills(), measuredMemory);
    }

    /** Closes the stores that {@link #open} opened. */
    @Override
    public void close() throws IOException {
        Closer closer = Closer.create();
        stores.forEach(closer::register);
        closer.close();
    }
}
