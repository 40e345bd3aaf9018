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

/** An example of an executor: it uses the calling thread and the threads of an existing service. */
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

        /** Uses the calling thread as one of the members, so that work proceeds even while the service is busy. */
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
                    throw new IllegalStateException("work must not throw", e);
                }
            }
        }
    }
}
// end snippet
