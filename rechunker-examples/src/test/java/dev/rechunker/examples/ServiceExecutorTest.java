package dev.rechunker.examples;

import dev.rechunker.run.Executor;
import dev.rechunker.testing.ExecutorContract;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;

/** {@link ServiceExecutor} keeps the contract of executors, with enough threads and with fewer than it requests. */
class ServiceExecutorTest {
    /** {@return threads that end when there is nothing to do, as the contract checks that no thread is left} */
    private static ThreadPoolExecutor service(int threads) {
        ThreadPoolExecutor service =
                new ThreadPoolExecutor(threads, threads, 10, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
        service.allowCoreThreadTimeOut(true);
        return service;
    }

    @Nested
    // snippet: service-executor-test
    class OfThreeThreads extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new ServiceExecutor(service(3), 3);
        }
    }
    // end snippet

    @Nested
    class OfOneThreadForThree extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new ServiceExecutor(service(1), 3);
        }
    }
}
