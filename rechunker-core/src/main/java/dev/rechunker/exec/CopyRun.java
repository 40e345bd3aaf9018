package dev.rechunker.exec;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Carries out the plan of one array: its stages one after the other, block by block if there is a spill.
 *
 * @param name how the array is called in messages
 * @param plan what to do
 * @param reader the source, whose chunks are the plan's
 * @param writer the target, whose write units are the plan's
 * @param spillDirectory where temporary files go
 * @param keepEmpty whether write units that hold nothing but the fill value are written too
 */
public record CopyRun(
        String name, CopyPlan plan, ArrayReader reader, ArrayWriter writer, Path spillDirectory, boolean keepEmpty) {
    /** Where stages and temporary files are logged, at level DEBUG. */
    static final String LOGGER = "dev.rechunker";

    /**
     * Copies every element. Does not commit the target.
     *
     * @throws TaskFailedException if a task fails; what was written so far stays
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    public void execute(Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        if (plan.strategy() instanceof Strategy.Spill spill) {
            Stage split = plan.stages().get(0);
            Stage merge = plan.stages().get(1);
            Odometer blocks = new Odometer(Region.whole(spill.blocks().counts()));
            while (blocks.next()) {
                Region block = spill.blocks().region(blocks.index());
                try (SpillFile file = SpillFile.create(
                        spillDirectory, block, spill.windows(), reader.spec(), merge.source(), merge.units())) {
                    monitor.spilled(block.elements() * reader.spec().dataType().itemSize());
                    run(
                            split,
                            tasks(split.windows(), block),
                            reader,
                            file.writer(),
                            executor,
                            workspaces,
                            monitor,
                            window -> {});
                    run(
                            merge,
                            tasks(merge.windows(), block),
                            file.reader(),
                            writer,
                            executor,
                            workspaces,
                            monitor,
                            file::done);
                }
            }
        } else {
            for (Stage stage : plan.stages()) {
                run(
                        stage,
                        Region.whole(stage.windows().counts()),
                        reader,
                        writer,
                        executor,
                        workspaces,
                        monitor,
                        window -> {});
            }
        }
    }

    /** {@return the box of indices of the windows in a block} */
    private static Region tasks(ChunkGrid windows, Region block) {
        return windows.chunksTouching(block);
    }

    private void run(
            Stage stage,
            Region tasks,
            ArrayReader from,
            ArrayWriter to,
            Executor executor,
            WorkspacePool workspaces,
            Monitor monitor,
            Consumer<Region> windowDone)
            throws IOException, InterruptedException {
        monitor.begin(name, stage.name(), from, to);
        // A spill leaves out zeros by itself; it must not leave out fill values.
        boolean keep = keepEmpty || stage.kind() == Stage.Kind.SPLIT;
        TaskGroup group = new TaskGroup(stage, tasks, from, to, workspaces, monitor, keep, windowDone);
        System.Logger log = System.getLogger(LOGGER);
        log.log(DEBUG, "{0}: {1}, {2} tasks", name, stage.name(), group.count());
        Events.Stage event = new Events.Stage(name, stage.name(), group.count(), stage.memory());
        event.begin();
        executor.execute(group);
        event.commit();
        log.log(DEBUG, "{0}: {1} has ended", name, stage.name());
    }
}
