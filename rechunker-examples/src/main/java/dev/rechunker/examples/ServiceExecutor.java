package dev.rechunker.examples;

import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.TaskGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** An executor of your own: the calling thread, and threads of a service that the application has anyway. */
// snippet: service-executor
public record ServiceExecutor(ExecutorService service, int threads) implements Executor {
    @Override
    public void execute(TaskGroup tasks) throws IOException, InterruptedException {
        tasks.run(0, tasks.count(), new ServiceCrew());
    }

    private final class ServiceCrew implements Crew {
        @Override
        public int size() {
            return threads;
        }

        /** The caller is one of the members, so that work goes on even while the service is busy with others. */
        @Override
        public void together(int members, Runnable work) throws InterruptedException {
            List<Future<?>> others = new ArrayList<>();
            for (int i = 1; i < members; i++) {
                others.add(service.submit(work));
            }
            work.run();
            for (Future<?> other : others) {
                try {
                    other.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("work is not to throw", e);
                }
            }
        }
    }
}
// end snippet
