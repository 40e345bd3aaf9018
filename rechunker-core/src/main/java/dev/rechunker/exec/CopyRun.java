package dev.rechunker.exec;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Executor;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The execution of the plan of one array: its stages one after the other, or block by block if there is a spill. Steps
 * that the log has as done are not repeated.
 *
 * @param array the array
 * @param plan the plan
 * @param reader the source, with the chunks of the plan
 * @param writer the target, with the write units of the plan
 * @param spills the place of the temporary copy
 * @param attempts the retries, which are stopped when the run fails
 * @param settings further settings
 * @param levels the levels that are made of the array while it is written; null if there are none
 */
public record CopyRun(
        Subject array,
        CopyPlan plan,
        ArrayReader reader,
        ArrayWriter writer,
        SpillPlace spills,
        Attempts attempts,
        Settings settings,
        @Nullable FusedLevels levels) {
    /** Where stages and temporary files are logged, at level DEBUG. */
    static final String LOGGER = "dev.rechunker";

    /** Creates a copy without levels that are made at the same time. */
    public CopyRun(
            Subject array,
            CopyPlan plan,
            ArrayReader reader,
            ArrayWriter writer,
            SpillPlace spills,
            Attempts attempts,
            Settings settings) {
        this(array, plan, reader, writer, spills, attempts, settings, null);
    }

    /**
     * The array that is copied.
     *
     * @param name its name in messages
     * @param number its number in the run, for the names of files
     * @param log records the steps that are done, and knows those of an earlier run
     */
    public record Subject(String name, int number, TaskLog log) {}

    /**
     * Settings of a copy.
     *
     * @param keepEmpty whether write units that contain nothing but the fill value are written, too
     * @param durable whether a step is recorded only when its data would survive a loss of power
     */
    public record Settings(boolean keepEmpty, boolean durable) {}

    /** The executor of the tasks, their memory, and the counters. */
    record Means(Executor executor, WorkspacePool workspaces, Monitor monitor) {}

    /**
     * The reader and the writer of a stage.
     *
     * @param from the reader
     * @param to the writer
     * @param read the spill that is read, of which windows are done together with steps; null if there is none, or if
     *     it must not be deleted
     * @param written the spill that is written; null if there is none
     */
    record Ends(
            ArrayReader from,
            ArrayWriter to,
            @Nullable SpillBlock read,
            @Nullable SpillBlock written) {
        /** {@return ends none of which is a spill} */
        static Ends between(ArrayReader from, ArrayWriter to) {
            return new Ends(from, to, null, null);
        }
    }

    /**
     * Copies all elements. Does not commit the target.
     *
     * @throws TaskFailedException if a task fails; what was written before remains
     * @throws InterruptedException if the thread is interrupted; running tasks have ended by then
     */
    public void execute(Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        Means means = new Means(executor, workspaces, monitor);
        if (!plan.strategy().copies().isEmpty()) {
            new SpillRun(this, plan.strategy(), means).execute();
            return;
        }
        for (int stage = 0; stage < plan.stages().size(); stage++) {
            Region all = Region.whole(plan.stages().get(stage).windows().counts());
            run(steps(stage, all, 0, array.log(), false), Ends.between(reader, writer), means);
        }
    }

    /**
     * Runs some tasks of one stage. Other processes may run other tasks at the same time, or the same ones. No part of
     * a spill stays in memory, because other processes could not read it there.
     *
     * <p>Tasks are numbered as in the log: block by block if there is a spill, and row by row in a block, or without
     * blocks. Tasks that the log has as done are not repeated. Each task is recorded when it is done.
     *
     * @param stage the number of the stage; all tasks of the stage before are done
     * @throws TaskFailedException if a task fails
     * @throws InterruptedException if the thread is interrupted; running tasks have ended by then
     */
    public void execute(int stage, TaskRanges.Span tasks, Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        Means means = new Means(executor, workspaces, monitor);
        if (!plan.strategy().copies().isEmpty()) {
            new SpillRun(this, plan.strategy(), means).execute(stage, tasks);
            return;
        }
        Region windows = Region.whole(plan.stages().get(stage).windows().counts());
        Steps all = steps(stage, windows, 0, array.log(), true);
        run(all, all.tasksLeft(tasks), Ends.between(reader, writer), means);
    }

    /** {@return the same, with levels that are made while the array is written} */
    public CopyRun making(FusedLevels fused) {
        return new CopyRun(array, plan, reader, writer, spills, attempts, settings, fused);
    }

    /** {@return the indices of the windows of a stage in a block, as a box} */
    Region windows(int stage, Region block) {
        return plan.stages().get(stage).windows().chunksTouching(block);
    }

    /**
     * {@return the steps of the tasks with the windows in a box of indices; {@code first} is the number of the first}
     */
    Steps steps(int stage, Region windows, long first, TaskLog log, boolean wholeTasks) {
        return new Steps(plan.strategy(), plan.stages().get(stage), stage, windows, first, log, wholeTasks);
    }

    /** Runs the tasks that are not done yet. */
    void run(Steps steps, Ends ends, Means means) throws IOException, InterruptedException {
        List<TaskRanges.Span> left = steps.tasksLeft();
        recordSkipped(steps, left, means.monitor);
        run(steps, left, ends, means);
    }

    /** Runs tasks. */
    void run(Steps steps, List<TaskRanges.Span> left, Ends ends, Means means) throws IOException, InterruptedException {
        Stage stage = steps.stage();
        if (left.isEmpty()) {
            return;
        }
        means.monitor.beginStage(array, stage.name(), ends.from, ends.to);
        // A spill leaves out zeros by itself. It must not leave out fill values.
        boolean keep = settings.keepEmpty() || stage.kind().writesSpill();
        Consumer<Region> stepDone = step -> finish(steps, step, ends);
        StageTasks tasks = new StageTasks(
                steps, left, ends.from, ends.to, means.workspaces, means.monitor, keep, levels, stepDone, attempts);
        System.Logger log = System.getLogger(LOGGER);
        log.log(DEBUG, "{0}: {1}, {2} tasks", array.name(), stage.name(), tasks.count());
        Events.Span span =
                Events.begin(() -> new Events.Stage(array.name(), stage.name(), tasks.count(), stage.memory()));
        means.executor.execute(tasks);
        tasks.requireAllRun(means.executor);
        span.end();
        log.log(DEBUG, "{0}: {1} has ended", array.name(), stage.name());
    }

    /** Counts the tasks that are not left as done by an earlier run. */
    void recordSkipped(Steps steps, List<TaskRanges.Span> left, Monitor monitor) {
        long all = steps.box().elements();
        long tasks = all - left.stream().mapToLong(TaskRanges.Span::count).sum();
        Stage stage = steps.stage();
        double share = (left.isEmpty() ? 1 : steps.shareDoneBefore()) * all / stage.tasks();
        monitor.countDoneBefore(
                tasks, (long) (share * reader.spec().bytes()), !stage.kind().writesSpill());
    }

    /** Records a step as done after its data were stored. Only then the data that it has read may be deleted. */
    private void finish(Steps steps, Region step, Ends ends) {
        try {
            if (settings.durable() && ends.written != null) {
                ends.written.force();
            }
            if (settings.durable() && steps.stage().kind() == Stage.Kind.PARTS) {
                writer.parts().orElseThrow().forceParts();
            }
            steps.recordDone(step);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the journal cannot record that " + step + " is done: " + StoreException.reason(e), e);
        }
        if (ends.read != null) {
            ends.read.finish(step);
        }
    }
}
