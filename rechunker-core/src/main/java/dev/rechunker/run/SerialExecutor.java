package dev.rechunker.run;

import dev.rechunker.resource.MemoryCache;
import java.io.IOException;

/** An executor that runs everything in the calling thread. */
public final class SerialExecutor implements Executor {
    private final MemoryCache memoryCache = new MemoryCache();

    /** Creates an executor. */
    public SerialExecutor() {}

    @Override
    public int threads() {
        return 1;
    }

    @Override
    public MemoryCache memoryCache() {
        return memoryCache;
    }

    @Override
    public void execute(TaskGroup tasks) throws IOException, InterruptedException {
        tasks.run(0, tasks.count(), Crew.ALONE);
    }
}
