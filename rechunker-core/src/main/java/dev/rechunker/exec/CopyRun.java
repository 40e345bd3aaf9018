package dev.rechunker.exec;

import static java.lang.System.Logger.Level.DEBUG;

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
import java.util.function.LongPredicate;
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
 * @param spills where temporary files go
 * @param attempts is stopped when the run is
 * @param settings how it is done
 */
public record CopyRun(
        Subject array,
        CopyPlan plan,
        ArrayReader reader,
        ArrayWriter writer,
        Spills spills,
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

    /**
     * Copies every element. Does not commit the target.
     *
     * @throws TaskFailedException if a task fails; what was written so far stays
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    public void execute(Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        if (plan.strategy() instanceof Strategy.Spill spill) {
            Odometer blocks = new Odometer(Region.whole(spill.blocks().counts()));
            long splits = 0;
            long merges = 0;
            for (long number = 0; blocks.next(); number++) {
                Region block = spill.blocks().region(blocks.index());
                Group split = new Group(0, windows(0, block), splits);
                Group merge = new Group(1, windows(1, block), merges);
                splits = split.behind();
                merges = merge.behind();
                copyBlock(spill, number, block, split, merge, executor, workspaces, monitor);
            }
            return;
        }
        // Units that are copied encoded are recorded one by one, all others window by window.
        for (int stage = 0; stage < plan.stages().size(); stage++) {
            Region all = Region.whole(plan.stages().get(stage).windows().counts());
            run(new Group(stage, all, 0), reader, writer, null, executor, workspaces, monitor);
        }
    }

    /**
     * Carries out some tasks of one stage, while others may carry out others, or the same ones. Tasks have the numbers
     * that the log gives them: those of a spill block by block, and in a block, or where there is none, row by row.
     * What the log says is done is not done again; what is done is recorded, encoded copies too.
     *
     * @param stage its number; every task of the one before is done
     * @throws TaskFailedException if a task fails
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    public void execute(int stage, TaskRanges.Span tasks, Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        if (!(plan.strategy() instanceof Strategy.Spill spill)) {
            Group all = new Group(
                    stage, Region.whole(plan.stages().get(stage).windows().counts()), 0);
            List<TaskRanges.Span> left = all.left(array.log(), tasks);
            boolean encoded = plan.stages().get(stage).kind() == Stage.Kind.ENCODED;
            Told told = encoded ? Told.NOTHING : byWindow(all, null);
            run(all, left, told, reader, writer, executor, workspaces, monitor);
            for (TaskRanges.Span span : encoded ? left : List.<TaskRanges.Span>of()) {
                for (long task = span.from(); task < span.to(); task++) {
                    array.log().done(stage, task);
                }
            }
            return;
        }
        Odometer blocks = new Odometer(Region.whole(spill.blocks().counts()));
        long first = 0;
        for (long number = 0; first < tasks.to() && blocks.next(); number++) {
            Region block = spill.blocks().region(blocks.index());
            Group group = new Group(stage, windows(stage, block), first);
            List<TaskRanges.Span> left = group.left(array.log(), tasks);
            if (!left.isEmpty()) {
                boolean split = plan.stages().get(stage).kind() == Stage.Kind.SPLIT;
                try (SpillFile file = spillFile(spill, number, block, !split, window -> false)) {
                    ArrayReader from = split ? reader : file.reader();
                    ArrayWriter to = split ? file.writer() : writer;
                    // The file is deleted with all others: nobody here knows what else is read from it.
                    run(group, left, byWindow(group, split ? file : null), from, to, executor, workspaces, monitor);
                }
            }
            first = group.behind();
        }
    }

    private void copyBlock(
            Strategy.Spill spill,
            long number,
            Region block,
            Group split,
            Group merge,
            Executor executor,
            WorkspacePool workspaces,
            Monitor monitor)
            throws IOException, InterruptedException {
        TaskLog log = array.log();
        if (merge.left(log).isEmpty()) {
            skipped(split, List.of(), monitor);
            skipped(merge, List.of(), monitor);
            return;
        }
        boolean written = !log.before(split.stage()).hasNone(split.first(), split.behind());
        LongPredicate isDone = window -> log.before(merge.stage()).contains(merge.first() + window);
        try (SpillFile file = spillFile(spill, number, block, written, isDone)) {
            monitor.spilled(block.elements() * reader.spec().dataType().itemSize());
            if (log.before(merge.stage()).hasNone(merge.first(), merge.behind())) {
                run(split, reader, file.writer(), file, executor, workspaces, monitor);
            } else {
                // It was complete then; and some of what it has written is gone by now.
                skipped(split, List.of(), monitor);
            }
            run(merge, file.reader(), writer, file, executor, workspaces, monitor);
        }
    }

    private SpillFile spillFile(Strategy.Spill spill, long number, Region block, boolean written, LongPredicate isDone)
            throws IOException {
        Stage merge = plan.stages().get(1);
        return SpillFile.create(
                spills,
                array.number(),
                number,
                block,
                spill.windows(),
                reader.spec(),
                merge.source(),
                merge.units(),
                written,
                isDone);
    }

    /** {@return the box of indices of a stage's windows in a block} */
    private Region windows(int stage, Region block) {
        return plan.stages().get(stage).windows().chunksTouching(block);
    }

    private void run(
            Group group,
            ArrayReader from,
            ArrayWriter to,
            @Nullable SpillFile file,
            Executor executor,
            WorkspacePool workspaces,
            Monitor monitor)
            throws IOException, InterruptedException {
        Stage stage = plan.stages().get(group.stage());
        boolean encoded = stage.kind() == Stage.Kind.ENCODED;
        List<TaskRanges.Span> left =
                encoded ? List.of(new TaskRanges.Span(0, group.box().elements())) : group.left(array.log());
        skipped(group, left, monitor);
        Told told = encoded ? byUnit(group) : byWindow(group, file);
        run(group, left, told, from, to, executor, workspaces, monitor);
    }

    /**
     * Who is told what is done.
     *
     * @param isDone whether a unit that is copied encoded is done already
     * @param done is told of units that are copied encoded, else of windows
     */
    private record Told(Predicate<Region> isDone, Consumer<Region> done) {
        static final Told NOTHING = new Told(unit -> false, unit -> {});
    }

    private Told byUnit(Group group) {
        Stage stage = plan.stages().get(group.stage());
        TaskRanges before = array.log().before(group.stage());
        return new Told(
                unit -> before.contains(unitNumber(stage, unit)),
                unit -> done(group, stage, unitNumber(stage, unit), unit, null));
    }

    private Told byWindow(Group group, @Nullable SpillFile file) {
        Stage stage = plan.stages().get(group.stage());
        return new Told(unit -> false, window -> done(group, stage, group.number(stage, window), window, file));
    }

    private void run(
            Group group,
            List<TaskRanges.Span> left,
            Told told,
            ArrayReader from,
            ArrayWriter to,
            Executor executor,
            WorkspacePool workspaces,
            Monitor monitor)
            throws IOException, InterruptedException {
        if (left.isEmpty()) {
            return;
        }
        Stage stage = plan.stages().get(group.stage());
        monitor.begin(array.name(), stage.name(), from, to);
        // A spill leaves out zeros by itself; it must not leave out fill values.
        boolean keep = settings.keepEmpty() || stage.kind() == Stage.Kind.SPLIT;
        TaskGroup tasks = new TaskGroup(
                stage, group.box(), left, from, to, workspaces, monitor, keep, told.isDone, told.done, attempts);
        System.Logger log = System.getLogger(LOGGER);
        log.log(DEBUG, "{0}: {1}, {2} tasks", array.name(), stage.name(), tasks.count());
        Events.Stage event = new Events.Stage(array.name(), stage.name(), tasks.count(), stage.memory());
        event.begin();
        executor.execute(tasks);
        event.commit();
        log.log(DEBUG, "{0}: {1} has ended", array.name(), stage.name());
    }

    private static long unitNumber(Stage stage, Region unit) {
        return stage.units().ordinal(stage.units().chunksTouching(unit).origin());
    }

    private void skipped(Group group, List<TaskRanges.Span> left, Monitor monitor) {
        long tasks = group.behind()
                - group.first()
                - left.stream().mapToLong(TaskRanges.Span::count).sum();
        double share = (double) tasks / plan.stages().get(group.stage()).tasks();
        monitor.skipped(
                tasks,
                (long) (share * reader.spec().bytes()),
                group.stage() == plan.stages().size() - 1);
    }

    /** Records a task as done: what it wrote is stored by now, and only then may what it read be deleted. */
    private void done(Group group, Stage stage, long number, Region window, @Nullable SpillFile file) {
        try {
            if (settings.durable() && stage.kind() == Stage.Kind.SPLIT && file != null) {
                file.force();
            }
            array.log().done(group.stage(), number);
        } catch (IOException e) {
            throw new UncheckedIOException("the task for " + window + " cannot be recorded: " + e.getMessage(), e);
        }
        if (file != null && stage.kind() == Stage.Kind.MERGE) {
            file.done(window);
        }
    }
}
