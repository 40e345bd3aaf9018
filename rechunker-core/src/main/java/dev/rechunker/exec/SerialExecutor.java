package dev.rechunker.exec;

import java.io.IOException;

/** Runs everything in the calling thread. */
public final class SerialExecutor implements Executor {
    /** Creates it. */
    public SerialExecutor() {}

    @Override
    public int threads() {
        return 1;
    }

    @Override
    public void execute(TaskGroup tasks) throws IOException, InterruptedException {
        tasks.run(0, tasks.count(), Crew.ALONE);
    }
}
