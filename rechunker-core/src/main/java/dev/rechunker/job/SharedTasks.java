package dev.rechunker.job;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.run.Executor;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;

/**
 * Some tasks of one stage of one array; other processes run the other tasks.
 *
 * @param context the context of the run
 * @param number the number of the array
 * @param stage the number of the stage
 * @param tasks the tasks of the array
 * @param log records the tasks of the array that are done
 */
record SharedTasks(RunContext context, int number, int stage, TaskRanges.Span tasks, TaskLog log)
        implements ArrayLoop.Work {
    @Override
    public Optional<ArrayWriter> openTarget() throws IOException {
        JobArray array = context.plan().arrays().get(number);
        StoreLocation to = context.plan().target(array.path());
        return Optional.of(context.attempts().get(() -> SharedTarget.writer(to, array.target())));
    }

    @Override
    public void copy(CopyRun copy, Executor executor, WorkspacePool workspaces)
            throws IOException, InterruptedException {
        copy.execute(stage, tasks, executor, workspaces, context.monitor());
    }

    @Override
    public void complete(SourceCheck source, ArrayWriter target) throws IOException {
        source.checkIfMissing();
    }
}
