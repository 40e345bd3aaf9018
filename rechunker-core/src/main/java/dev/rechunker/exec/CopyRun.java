package dev.rechunker.exec;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
    private record Means(Executor executor, WorkspacePool workspaces, Monitor monitor) {}

    /**
     * Copies every element. Does not commit the target.
     *
     * @throws TaskFailedException if a task fails; what was written so far stays
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    public void execute(Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        Means means = new Means(executor, workspaces, monitor);
        if (plan.strategy() instanceof Strategy.Spill spill) {
            Odometer blocks = new Odometer(Region.whole(spill.blocks().counts()));
            // What a killed run had in memory is gone, so that a slab was read says nothing.
            TaskLog ofSplits = spill.residentBytes() == 0 ? array.log() : TaskLog.none();
            Resident resident = spill.residentBytes() == 0
                    ? Resident.none()
                    : new Resident(workspaces.first(), spill.residentBytes());
            long splits = 0;
            long merges = 0;
            for (long number = 0; blocks.next(); number++) {
                Region block = spill.blocks().region(blocks.index());
                Steps split = steps(0, windows(0, block), splits, ofSplits, false);
                Steps merge = steps(1, windows(1, block), merges, array.log(), false);
                splits = split.behind();
                merges = merge.behind();
                copyBlock(spill, number, block, resident, split, merge, means);
            }
            return;
        }
        for (int stage = 0; stage < plan.stages().size(); stage++) {
            Region all = Region.whole(plan.stages().get(stage).windows().counts());
            run(steps(stage, all, 0, array.log(), false), reader, writer, null, means);
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
        if (!(plan.strategy() instanceof Strategy.Spill spill)) {
            Region windows = Region.whole(plan.stages().get(stage).windows().counts());
            Steps all = steps(stage, windows, 0, array.log(), true);
            run(all, all.left(tasks), reader, writer, null, means);
            return;
        }
        Odometer blocks = new Odometer(Region.whole(spill.blocks().counts()));
        long first = 0;
        for (long number = 0; first < tasks.to() && blocks.next(); number++) {
            Region block = spill.blocks().region(blocks.index());
            Steps steps = steps(stage, windows(stage, block), first, array.log(), true);
            List<TaskRanges.Span> left = steps.left(tasks);
            if (!left.isEmpty()) {
                boolean split = steps.stage().kind() == Stage.Kind.SPLIT;
                try (SpillBlock file = spillBlock(spill, number, block, Resident.none(), !split, window -> false)) {
                    ArrayReader from = split ? reader : file.reader(monitor::unspilled);
                    ArrayWriter to = split ? file.writer(monitor::spilled) : writer;
                    // The file is deleted with all others: nobody here knows what else is read from it.
                    run(steps, left, from, to, split ? file : null, means);
                }
            }
            first = steps.behind();
        }
    }

    private void copyBlock(
            Strategy.Spill spill, long number, Region block, Resident resident, Steps split, Steps merge, Means means)
            throws IOException, InterruptedException {
        if (merge.left().isEmpty()) {
            skipped(split, List.of(), means.monitor);
            skipped(merge, List.of(), means.monitor);
            return;
        }
        boolean written = !split.hasNone() || !merge.hasNone();
        try (SpillBlock file = spillBlock(spill, number, block, resident, written, merge::isDone)) {
            means.monitor.holdsSpill(file.bytes());
            if (merge.hasNone() || file.lacksResident()) {
                run(split, reader, file.writer(means.monitor::spilled), file, means);
            } else {
                // It was complete then; and some of what it has written is gone by now.
                skipped(split, List.of(), means.monitor);
            }
            run(merge, file.reader(means.monitor::unspilled), writer, file, means);
        }
    }

    private SpillBlock spillBlock(
            Strategy.Spill spill,
            long number,
            Region block,
            Resident resident,
            boolean written,
            Predicate<Region> isDone)
            throws IOException {
        Stage merge = plan.stages().get(1);
        ArraySpec source = reader.spec();
        ArraySpec pieces = ArraySpec.builder(merge.source(), source.dataType())
                .byteOrder(source.byteOrder())
                .fillValue(source.fillValue())
                .build();
        if (spills instanceof SpillValues values) {
            return new SlabValues(values, attempts, array.number(), number, block, spill, pieces, isDone);
        }
        return SpillFile.create(
                (Spills) spills,
                array.number(),
                number,
                block,
                spill.windows(),
                pieces,
                merge.units(),
                resident,
                written,
                isDone);
    }

    /** {@return the box of indices of a stage's windows in a block} */
    private Region windows(int stage, Region block) {
        return plan.stages().get(stage).windows().chunksTouching(block);
    }

    private Steps steps(int stage, Region windows, long first, TaskLog log, boolean wholeTasks) {
        return new Steps(plan.strategy(), plan.stages().get(stage), stage, windows, first, log, wholeTasks);
    }

    private void run(Steps steps, ArrayReader from, ArrayWriter to, @Nullable SpillBlock file, Means means)
            throws IOException, InterruptedException {
        List<TaskRanges.Span> left = steps.left();
        skipped(steps, left, means.monitor);
        run(steps, left, from, to, file, means);
    }

    private void run(
            Steps steps,
            List<TaskRanges.Span> left,
            ArrayReader from,
            ArrayWriter to,
            @Nullable SpillBlock file,
            Means means)
            throws IOException, InterruptedException {
        Stage stage = steps.stage();
        if (left.isEmpty()) {
            return;
        }
        means.monitor.begin(array.name(), stage.name(), from, to);
        // A spill leaves out zeros by itself; it must not leave out fill values.
        boolean keep = settings.keepEmpty() || stage.kind() == Stage.Kind.SPLIT;
        Consumer<Region> done = step -> done(steps, step, file);
        TaskGroup tasks = new TaskGroup(steps, left, from, to, means.workspaces, means.monitor, keep, done, attempts);
        System.Logger log = System.getLogger(LOGGER);
        log.log(DEBUG, "{0}: {1}, {2} tasks", array.name(), stage.name(), tasks.count());
        Events.Span span =
                Events.begin(() -> new Events.Stage(array.name(), stage.name(), tasks.count(), stage.memory()));
        means.executor.execute(tasks);
        span.end();
        log.log(DEBUG, "{0}: {1} has ended", array.name(), stage.name());
    }

    private void skipped(Steps steps, List<TaskRanges.Span> left, Monitor monitor) {
        long all = steps.box().elements();
        long tasks = all - left.stream().mapToLong(TaskRanges.Span::count).sum();
        Stage stage = steps.stage();
        double share = (left.isEmpty() ? 1 : steps.doneBefore()) * all / stage.tasks();
        boolean toTarget = stage.kind() != Stage.Kind.SPLIT;
        monitor.skipped(tasks, (long) (share * reader.spec().bytes()), toTarget);
    }

    /** Records a step as done: what it wrote is stored by now, and only then may what it read be deleted. */
    private void done(Steps steps, Region step, @Nullable SpillBlock file) {
        Stage.Kind kind = steps.stage().kind();
        try {
            if (settings.durable() && kind == Stage.Kind.SPLIT && file != null) {
                file.force();
            }
            if (settings.durable() && kind == Stage.Kind.PARTS) {
                writer.forceParts();
            }
            steps.done(step);
        } catch (IOException e) {
            throw new UncheckedIOException("that " + step + " is done cannot be recorded: " + e.getMessage(), e);
        }
        if (file != null && kind == Stage.Kind.MERGE) {
            file.done(step);
        }
    }
}
