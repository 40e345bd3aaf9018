package dev.rechunker.exec;

import dev.rechunker.memory.WorkspaceRecycler;
import java.io.IOException;

/** Runs everything in the calling thread. */
public final class SerialExecutor implements Executor {
    private final WorkspaceRecycler recycler = new WorkspaceRecycler();

    /** Creates it. */
    public SerialExecutor() {}

    @Override
    public int threads() {
        return 1;
    }

    @Override
    public WorkspaceRecycler recycler() {
        return recycler;
    }

    @Override
    public void execute(TaskGroup tasks) throws IOException, InterruptedException {
        tasks.run(0, tasks.count(), Crew.ALONE);
    }
}
