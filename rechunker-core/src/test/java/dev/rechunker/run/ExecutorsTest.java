package dev.rechunker.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.ExecutorContract;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of all executors, and of one that runs tasks in random order, each in a new thread. */
class ExecutorsTest {
    private static final Data DATA =
            Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(60, 120), Shape.of(60, 1)), DataType.INT64)
                    .build());

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
    class TwoThreadsWhereThreeWereAskedFor extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new ForkJoinExecutor(3, threads -> few(threads, 1));
        }
    }

    @Nested
    class OneThreadWhereThreeWereAskedFor extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new ForkJoinExecutor(3, threads -> few(threads, 0));
        }
    }

    /** {@return a team on a system that starts no more than a few threads, apart from the calling one} */
    private static Team few(int threads, int most) {
        AtomicInteger left = new AtomicInteger(most);
        return new Team(threads, pool -> new ForkJoinWorkerThread(pool) {
            @Override
            public synchronized void start() {
                if (left.getAndDecrement() <= 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
    }

    @Nested
    class TaskByTask extends ExecutorContract {
        @Override
        protected Executor createExecutor() {
            return new TaskByTaskExecutor(4, 1);
        }
    }

    @Test
    void moreThreadsThanPoolHasAreRefused() {
        assertEquals(0x7fff, new ForkJoinExecutor(0x7fff).threads());
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> new ForkJoinExecutor(Integer.MAX_VALUE));
        assertTrue(String.valueOf(e.getMessage()).contains("32767"), e::getMessage);
    }

    @Test
    void noThreadsAreRefused() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new ForkJoinExecutor(0));
        assertEquals("the number of threads is 0, but must be at least 1", e.getMessage());
    }

    /** An executor of one thread with a given behaviour. */
    private record Doing(Work work) implements Executor {
        interface Work {
            void on(TaskGroup tasks) throws IOException, InterruptedException;
        }

        @Override
        public int threads() {
            return 1;
        }

        @Override
        public void execute(TaskGroup tasks) throws IOException, InterruptedException {
            work.on(tasks);
        }
    }

    /** {@return a copy with a spill and several tasks in each stage} */
    private static Rechunker.Job spilling(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source)
                .to(target)
                .chunks(1, 120)
                .maxMem("16kB")
                .costModel(CostModel.parse("ssd:read=1,write=1e9,spill=1e9,request=0"));
    }

    @Test
    void arrayWithTaskThatDidNotRunIsNotPublished() throws Exception {
        FaultyStore source = new FaultyStore(
                MemoryStore.builder().granularity(Granularity.CHUNK).build());
        DATA.write(source, "");
        MemoryStore target = new MemoryStore();
        Rechunker.Job job = spilling(source, target);

        refused(job, tasks -> {}, "is 0");
        refused(job, tasks -> tasks.run(0, 2, Crew.ALONE), "is 2");
        refused(job, tasks -> tasks.run(2, tasks.count(), Crew.ALONE), "is 0");
        Doing.Work withAHole = tasks -> {
            tasks.run(0, 1, Crew.ALONE);
            tasks.run(0, 1, Crew.ALONE);
            tasks.run(2, tasks.count(), Crew.ALONE);
        };
        refused(job, withAHole, "is 1");
        source.failFrom(FaultyStore.Operation.READ, 1);
        Doing.Work silent = tasks -> {
            for (long task = 0; task < tasks.count(); task++) {
                long one = task;
                assertThrows(TaskFailedException.class, () -> tasks.run(one, one + 1, Crew.ALONE));
            }
        };
        refused(job.retries(0), silent, "is 0");
        assertTrue(target.node("").isEmpty());
    }

    /** Also with a spill, whose files are removed when their last task has ended. */
    @Test
    void taskThatIsGivenTwiceIsRunOnce() throws Exception {
        CountingStore source = new CountingStore(
                MemoryStore.builder().granularity(Granularity.CHUNK).build());
        DATA.write(source, "");
        Doing.Work twice = tasks -> {
            tasks.run(0, tasks.count(), Crew.ALONE);
            tasks.run(0, tasks.count(), Crew.ALONE);
        };
        Doing.Work overlapping = tasks -> {
            tasks.run(0, Math.min(2, tasks.count()), Crew.ALONE);
            tasks.run(0, tasks.count(), Crew.ALONE);
            tasks.run(tasks.count() - 1, tasks.count(), Crew.ALONE);
        };
        Doing.Work atTheSameTime = tasks -> inThreads(3, twice, tasks);
        for (Doing.Work work : List.of(twice, overlapping, atTheSameTime)) {
            MemoryStore target = new MemoryStore();
            long before = source.reads();
            spilling(source, target).executor(new Doing(work)).execute();
            assertArrayEquals(DATA.elements(), target.elements(""));
            assertEquals(120, source.reads() - before);
        }
    }

    /** Tasks of a range that ended before another one failed are not run again, and their files are gone. */
    @Test
    void onlyFailedTasksAreRunAgain() throws Exception {
        FaultyStore target = new FaultyStore(new MemoryStore());
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        DATA.write(source, "");
        int[] failed = {0};
        Doing.Work again = tasks -> {
            target.failOnce(FaultyStore.Operation.WRITE, 40);
            try {
                tasks.run(0, tasks.count(), Crew.ALONE);
            } catch (TaskFailedException e) {
                failed[0]++;
                tasks.run(0, tasks.count(), Crew.ALONE);
            }
        };
        Plan plan =
                spilling(source, target).executor(new Doing(again)).retries(0).plan();
        Report report = plan.execute();
        assertEquals(1, failed[0]);
        assertEquals(plan.tasks(), report.tasks());
        try (ArrayReader reader = target.openReader("")) {
            assertArrayEquals(DATA.elements(), Data.readAll(reader));
        }
    }

    /** Runs the same work in several threads. */
    private static void inThreads(int count, Doing.Work work, TaskGroup tasks)
            throws IOException, InterruptedException {
        ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                try {
                    work.on(tasks);
                } catch (IOException | InterruptedException | RuntimeException e) {
                    failures.add(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IOException(failures.poll());
        }
    }

    @Test
    void crewThatDoesNotWorkIsDetected() throws Exception {
        MemoryStore source = new MemoryStore();
        DATA.write(source, "");
        MemoryStore target = new MemoryStore();
        Crew idle = new Crew() {
            @Override
            public int size() {
                return 2;
            }

            @Override
            public void together(int members, Runnable work) {}
        };
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> Rechunker.from(source)
                        .to(target)
                        .chunks(10, 120)
                        .maxMem("40kB")
                        .executor(new Doing(tasks -> tasks.run(0, tasks.count(), idle)))
                        .execute());
        assertTrue(String.valueOf(e.getMessage()).contains("has not been done by 1 of 1 threads"), e::getMessage);
        assertTrue(target.node("").isEmpty());
    }

    private static void refused(Rechunker.Job job, Doing.Work work, String first) {
        IllegalStateException e = assertThrows(
                IllegalStateException.class, () -> job.executor(new Doing(work)).execute());
        assertTrue(String.valueOf(e.getMessage()).endsWith(first), e::getMessage);
    }

    @Test
    void listenerThatFailsAtTheEndChangesNothing() throws Exception {
        MemoryStore source = new MemoryStore();
        DATA.write(source, "");
        MemoryStore target = new MemoryStore();
        AtomicInteger heard = new AtomicInteger();
        ProgressListener failing = progress -> {
            if (progress.fraction() == 1) {
                heard.incrementAndGet();
                throw new IllegalStateException("told to fail");
            }
        };
        Rechunker.from(source)
                .to(target)
                .chunks(10, 120)
                .maxMem("40kB")
                .onProgress(failing)
                .execute();
        assertEquals(1, heard.get());
        assertArrayEquals(DATA.elements(), target.elements(""));
    }

    /** An executor that runs every task separately, in random order. */
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

        /** Waits for all threads to end, and interrupts them if this one is interrupted. */
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
