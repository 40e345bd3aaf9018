package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ExecutorContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Holds all executors to their contract, and one that runs tasks one by one, in no order, in plain threads. */
class ExecutorsTest {
    @Nested
    class Serial extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new SerialExecutor();
        }
    }

    @Nested
    class OneThread extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new ForkJoinExecutor(1);
        }
    }

    @Nested
    class ThreeThreads extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new ForkJoinExecutor(3);
        }
    }

    @Nested
    class TaskByTask extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new TaskByTaskExecutor(4, 1);
        }
    }

    @Test
    void moreThreadsThanAPoolHasAreRefused() {
        assertEquals(0x7fff, new ForkJoinExecutor(0x7fff).threads());
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> new ForkJoinExecutor(Integer.MAX_VALUE));
        assertTrue(String.valueOf(e.getMessage()).contains("32767"), e::getMessage);
    }

    @Test
    void noThreadsAreRefused() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new ForkJoinExecutor(0));
        assertEquals("0 threads cannot run anything; it takes at least 1", e.getMessage());
    }

    /** Runs every task on its own, in random order. */
    private record TaskByTaskExecutor(int workers, long seed) implements Executor {
        @Override
        public int threads() {
            return 1;
        }

        @Override
        public void execute(TaskGroup tasks) throws IOException, InterruptedException {
            List<Long> order =
                    new ArrayList<>(LongStream.range(0, tasks.count()).boxed().toList());
            Collections.shuffle(order, new Random(seed));
            ConcurrentLinkedQueue<Long> left = new ConcurrentLinkedQueue<>(order);
            ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                Thread thread = new Thread(() -> {
                    Long task = left.poll();
                    while (task != null && failures.isEmpty()) {
                        try {
                            tasks.run(task, task + 1, Crew.ALONE);
                        } catch (IOException | InterruptedException | RuntimeException e) {
                            failures.add(e);
                        }
                        task = left.poll();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            join(threads);
            Exception failure = failures.poll();
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure != null) {
                throw new InterruptedException("interrupted");
            }
        }

        /** Waits for all to end; if interrupted meanwhile, so are they. */
        private static void join(List<Thread> threads) throws InterruptedException {
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException e) {
                threads.forEach(Thread::interrupt);
                for (Thread thread : threads) {
                    thread.join();
                }
                throw e;
            }
        }
    }
}
