package dev.rechunker.job;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;

/**
 * Some tasks of one stage of one array, while other processes run others.
 *
 * @param means what the run works with
 * @param number the number of the array
 * @param stage the number of the stage
 * @param tasks which tasks of the array
 * @param log what is done of the array
 */
record SharedTasks(RunMeans means, int number, int stage, TaskRanges.Span tasks, TaskLog log)
        implements ArrayLoop.Work {
    @Override
    public Optional<ArrayWriter> openTarget() throws IOException {
        JobArray array = means.plan().arrays().get(number);
        StoreLocation to = means.plan().target(array.path());
        return Optional.of(means.attempts().get(() -> SharedTarget.writer(to, array.target())));
    }

    @Override
    public void copy(CopyRun copy, WorkspacePool workspaces) throws IOException, InterruptedException {
        copy.execute(stage, tasks, means.executor(), workspaces, means.monitor());
    }

    @Override
    public void complete(SourceCheck source, ArrayWriter target) throws IOException {
        source.explainMissing();
    }
}
