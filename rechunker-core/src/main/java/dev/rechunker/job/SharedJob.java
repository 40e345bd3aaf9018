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

    /** {@return a new run of a plan, whose stores stay those of the caller} */
    public static SharedJob of(JobPlan plan) {
        return new SharedJob("rechunk-" + UUID.randomUUID(), plan, List.of());
    }

    /**
     * {@return the run of a description, with stores of its own}
     *
     * @throws RefusedException if the plan would not be the same any more; it says what differs
     * @throws IOException if the description is malformed, or its stores cannot be opened
     */
    public static SharedJob open(Map<String, ?> description) throws IOException {
        JobDescription.Opened opened = JobDescription.open(description);
        return new SharedJob(opened.run(), opened.plan(), opened.stores());
    }

    /**
     * {@return the run as plain data: texts, numbers, booleans, lists and maps}
     *
     * @throws RefusedException if another process could not open it, as a store in memory; it says why
     */
    public Map<String, @Nullable Object> description() throws StoreException {
        return JobDescription.of(id, plan);
    }

    /** {@return the name of this run, which no other has} */
    public String id() {
        return id;
    }

    /** {@return its plan} */
    public JobPlan plan() {
        return plan;
    }

    /**
     * {@return how many tasks each stage has, of all arrays together}
     *
     * <p>They are numbered from 0, those of the first array first.
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
     * @param logs what is done of each array
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
     * Takes the target for this run: refuses what is there, and notes that it is being written. Until it is finished no
     * other run writes there, as far as the target can tell.
     *
     * @throws RefusedException if the target exists, another run has it, or processes have no common place for the
     *     spill
     */
    public void begin() throws IOException {
        description(); // refuses what others could not open
        ChecksumFile.requireWritable(options.get(Option.CHECKSUM_FILE));
        SharedTarget.begin(id, plan, spills());
    }

    /** {@return the executor that the plan is for} */
    public Executor executor() {
        return options.executor();
    }

    /** {@return whether what is done has to be on its device before it is recorded} */
    public boolean isDurable() {
        return options.get(Option.DURABLE);
    }

    /**
     * Refuses to go on if the target is not this run's, as far as it can tell.
     *
     * @throws RefusedException if the run has not begun, or is finished, or another one was begun there
     */
    public void requireBegun() throws IOException {
        SharedTarget.requireBegun(id, plan);
    }

    /** Runs the tasks {@code [from, to)} of a stage with as many threads as the plan is for, and records nothing. */
    public Report run(int stage, long from, long to) throws IOException, InterruptedException {
        return run(stage, from, to, executor(), ProgressListener.NONE, array -> TaskLog.none());
    }

    /**
     * Runs the tasks {@code [from, to)} of a stage, but for those that are done. Meanwhile nobody can finish the run,
     * or begin another one there, as far as the target can tell.
     *
     * @param logs what is done of each array, and where what is done is recorded
     * @return what was done
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws RefusedException if the run has not begun, or is finished, or something else was begun at its target
     * @throws dev.rechunker.run.TaskFailedException if a task fails
     * @throws StoreException if chunks of a source were missing, and the source is not there any more
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    @SuppressWarnings("try") // what is joined is held, and not used
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
        RunMeans means = RunMeans.of(plan, executor, listener, to - from, bytesToMove(shares, stage));
        ArrayCopies copies = new ArrayCopies(plan, spills(), means.attempts(), means.corrupt());
        List<SharedTasks> works = shares.stream()
                .map(share -> new SharedTasks(means, share.array(), stage, share.tasks(), logs.apply(share.array())))
                .toList();
        new ArrayLoop(means, copies).run(works);
        means.monitor().end();
        return means.report(List.of()).build();
    }

    /**
     * What some tasks of a stage are of an array.
     *
     * @param array its number
     * @param tasks which of the array's own tasks of the stage
     */
    private record Share(int array, TaskRanges.Span tasks) {}

    /** {@return what the tasks {@code [from, to)} of a stage are of each array that has some of them} */
    private List<Share> shares(int stage, long from, long to) {
        List<Share> shares = new ArrayList<>();
        long first = 0;
        for (int i = 0; i < plan.arrays().size() && first < to; i++) {
            List<Stage> stages = plan.arrays().get(i).copy().stages();
            long behind = first + (stage < stages.size() ? stages.get(stage).tasks() : 0);
            TaskRanges.Span tasks = new TaskRanges.Span(Math.max(first, from) - first, Math.min(behind, to) - first);
            if (tasks.from() < tasks.to()) {
                shares.add(new Share(i, tasks));
            }
            first = behind;
        }
        return shares;
    }

    /** {@return about what is read and written: all stages of an array move about the same, all tasks of one too} */
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
            throw new IndexOutOfBoundsException(
                    "stage " + stage + " of a plan with " + tasks.size() + (tasks.size() == 1 ? " stage" : " stages"));
        }
        if (from < 0 || from > to || to > tasks.get(stage)) {
            throw new IndexOutOfBoundsException(
                    "tasks " + from + " to " + to + " of stage " + stage + ", which has " + tasks.get(stage));
        }
    }

    /** {@return where the spill is: the same place for all processes} */
    private SpillPlace spills() throws IOException {
        return Recovery.spills(options, spillDirectory(), id);
    }

    private Path spillDirectory() throws IOException {
        StoreLocation target = plan.target("");
        Optional<Path> told = options.get(Option.SPILL);
        if (told.isPresent()) {
            return told.get();
        }
        Optional<Path> work = Recovery.directory(target);
        if (plan.spillPeakBytes() > 0
                && work.isEmpty()
                && options.get(Option.SPILL_STORE).isEmpty()) {
            throw new RefusedException(
                    "the plan has a spill, which all processes have to see",
                    Advice.of("shared-spill", "name a directory that they share, or an object store, with spill(...)"),
                    Advice.NO_SPILL);
        }
        return work.orElse(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Makes the arrays and groups exist, and removes what the run needed. May be called again if it was killed.
     *
     * <p>All tasks of all stages have to be done, which is for the caller to know: what was not is missing from the
     * target.
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
        return SharedTarget.finish(id, plan, spills(), held);
    }

    /** Closes the stores that {@link #open} opened. */
    @Override
    public void close() throws IOException {
        Closer closer = Closer.create();
        stores.forEach(closer::register);
        closer.close();
    }
}
