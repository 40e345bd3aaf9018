package dev.rechunker.exec;

import com.google.common.collect.Range;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tasks of one stage, or of one block of a stage, that are not done yet. */
final class StageTasks implements TaskGroup {
    private final Stage stage;
    private final Steps steps;
    private final List<TaskRanges.Span> tasks;
    private final ArrayReader reader;
    private final ArrayWriter writer;
    private final WorkspacePool workspaces;
    private final Monitor monitor;
    private final boolean keepEmpty;
    private final @Nullable FusedLevels levels;
    private final Consumer<Region> done;
    private final Attempts attempts;
    private final TaskClaims claims = new TaskClaims(this);

    /**
     * Creates it.
     *
     * @param tasks the tasks with unfinished steps, by the places of their windows
     * @param levels the levels that are made of the units; null if there are none
     * @param done is called with each step that is done
     */
    StageTasks(
            Steps steps,
            List<TaskRanges.Span> tasks,
            ArrayReader reader,
            ArrayWriter writer,
            WorkspacePool workspaces,
            Monitor monitor,
            boolean keepEmpty,
            @Nullable FusedLevels levels,
            Consumer<Region> done,
            Attempts attempts) {
        this.stage = steps.stage();
        this.steps = steps;
        this.tasks = tasks;
        this.reader = reader;
        this.writer = writer;
        this.workspaces = workspaces;
        this.monitor = monitor;
        this.keepEmpty = keepEmpty;
        this.levels = levels;
        this.done = done;
        this.attempts = attempts;
    }

    @Override
    public long count() {
        return tasks.stream().mapToLong(TaskRanges.Span::count).sum();
    }

    @Override
    public String stage() {
        return stage.name();
    }

    @Override
    public void run(long from, long to, Crew crew) throws IOException, InterruptedException {
        claims.run(from, to, mine -> {
            for (Range<Long> range : mine.asRanges()) {
                runTaken(range.lowerEndpoint(), range.upperEndpoint(), crew);
            }
        });
    }

    private void runTaken(long from, long to, Crew crew) throws IOException, InterruptedException {
        Workspace workspace = workspaces.acquire();
        try {
            long before = 0;
            for (TaskRanges.Span span : tasks) {
                long first = span.from() + Math.max(0, from - before);
                long end = Math.min(span.to(), span.from() + to - before);
                if (first < end) {
                    run(first, end, crew, workspace);
                }
                before += span.count();
            }
        } finally {
            workspaces.release(workspace);
        }
    }

    /** Records that a task has ended, even if others that are run together with it fail. */
    private void recordEnd(Region window) {
        long place = steps.place(window);
        long before = 0;
        for (TaskRanges.Span span : tasks) {
            if (span.from() <= place && place < span.to()) {
                claims.recordEnd(before + place - span.from());
            }
            before += span.count();
        }
        monitor.countTask();
    }

    /**
     * Checks that all tasks have ended.
     *
     * @throws IllegalStateException if not; then the executor has returned too early, or has not thrown a failure
     */
    void requireAllRun(Executor executor) {
        claims.requireAllRun(executor);
    }

    /** Runs tasks, which are given by the places of their windows in the box. */
    private void run(long first, long end, Crew crew, Workspace workspace) throws IOException, InterruptedException {
        int itemSize = writer.spec().dataType().itemSize();
        if (stage.kind().isEncoded()) {
            ReadPlan units = ReadPlan.ofUnits(stage, itemSize, steps.box(), first, end);
            new EncodedCopy(steps, units, reader, writer, workspace, monitor, done, this::recordEnd)
                    .doneBy(crew, attempts);
        } else {
            ReadPlan reads = new ReadPlan(stage, itemSize, steps.box(), first, end);
            Dataflow flow = new Dataflow(
                    steps, reads, reader, writer, workspace, monitor, keepEmpty, levels, done, this::recordEnd);
            boolean done = false;
            try {
                flow.doneBy(crew, attempts);
                done = true;
            } finally {
                flow.close();
                if (!done && levels != null) {
                    levels.giveUp(); // a unit that is written again must not be reduced twice
                }
            }
        }
    }
}
