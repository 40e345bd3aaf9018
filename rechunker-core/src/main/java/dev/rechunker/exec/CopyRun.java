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
 * Carries out the plan of one array: its stages one after the other, block by block if there is a spill. What the log
 * says is done is not done again.
 *
 * @param array who it is, and what is known of it
 * @param plan what to do
 * @param reader the source, whose chunks are the plan's
 * @param writer the target, whose write units are the plan's
 * @param spills where the temporary copy goes
 * @param attempts is stopped when the run is
 * @param settings how it is done
 */
public record CopyRun(
        Subject array,
        CopyPlan plan,
        ArrayReader reader,
        ArrayWriter writer,
        SpillPlace spills,
        Attempts attempts,
        Settings settings) {
    /** Where stages and temporary files are logged, at level DEBUG. */
    static final String LOGGER = "dev.rechunker";

    /**
     * The array that is copied.
     *
     * @param name how it is called in messages
     * @param number its number in the run, for the names of files
     * @param log what is done of it
     */
    public record Subject(String name, int number, TaskLog log) {}

    /**
     * How a copy is done.
     *
     * @param keepEmpty whether write units that hold nothing but the fill value are written too
     * @param durable whether a task is recorded only when what it has written would survive a loss of power
     */
    public record Settings(boolean keepEmpty, boolean durable) {}

    /** Who does the work, in which memory, and who watches. */
    record Means(Executor executor, WorkspacePool workspaces, Monitor monitor) {}

    /**
     * Where the data of a stage come from and go to.
     *
     * @param read the spill that is read, whose windows are done with the steps; null if none is, or if it is kept
     * @param written the spill that is written, if any is
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
     * Copies every element. Does not commit the target.
     *
     * @throws TaskFailedException if a task fails; what was written so far stays
     * @throws InterruptedException if interrupted, after what was under way has ended
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
     * Carries out some tasks of one stage, while others may carry out others, or the same ones. Of a spill nothing
     * stays in memory, where others could not read it, whatever the plan says. Tasks have the numbers that the log
     * gives them: those of a spill block by block, and in a block, or where there is none, row by row. What the log
     * says is done is not done again; what is done is recorded, task by task.
     *
     * @param stage its number; every task of the one before is done
     * @throws TaskFailedException if a task fails
     * @throws InterruptedException if interrupted, after what was under way has ended
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

    /** {@return the box of indices of a stage's windows in a block} */
    Region windows(int stage, Region block) {
        return plan.stages().get(stage).windows().chunksTouching(block);
    }

    /** {@return the steps of the tasks whose windows are in a box of indices, and of which the first has a number} */
    Steps steps(int stage, Region windows, long first, TaskLog log, boolean wholeTasks) {
        return new Steps(plan.strategy(), plan.stages().get(stage), stage, windows, first, log, wholeTasks);
    }

    /** Carries out what is left of some tasks. */
    void run(Steps steps, Ends ends, Means means) throws IOException, InterruptedException {
        List<TaskRanges.Span> left = steps.tasksLeft();
        recordSkipped(steps, left, means.monitor);
        run(steps, left, ends, means);
    }

    /** Carries out some tasks. */
    void run(Steps steps, List<TaskRanges.Span> left, Ends ends, Means means) throws IOException, InterruptedException {
        Stage stage = steps.stage();
        if (left.isEmpty()) {
            return;
        }
        means.monitor.begin(array.name(), stage.name(), ends.from, ends.to);
        // A spill leaves out zeros by itself; it must not leave out fill values.
        boolean keep = settings.keepEmpty() || stage.kind().writesSpill();
        Consumer<Region> stepDone = step -> finish(steps, step, ends);
        StageTasks tasks = new StageTasks(
                steps, left, ends.from, ends.to, means.workspaces, means.monitor, keep, stepDone, attempts);
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
        monitor.skipped(
                tasks, (long) (share * reader.spec().bytes()), !stage.kind().writesSpill());
    }

    /** Records a step as done: what it wrote is stored by now, and only then may what it read be deleted. */
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
                    "that " + step + " is done cannot be recorded: " + StoreException.reason(e), e);
        }
        if (ends.read != null) {
            ends.read.finish(step);
        }
    }
}
