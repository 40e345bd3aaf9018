package dev.rechunker.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TeamTest {
    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger runs = new AtomicInteger();

    private void work() {
        workers.add(Thread.currentThread());
        runs.incrementAndGet();
    }

    @Test
    void allMembersWorkAtTheSameTime() throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(4);
        try (Team team = new Team(4)) {
            for (int round = 0; round < 3; round++) {
                team.together(4, () -> {
                    work();
                    await(barrier);
                });
            }
        }
        assertEquals(12, runs.get());
        assertEquals(4, workers.size());
        assertTrue(workers.contains(Thread.currentThread()));
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void threadsAreDaemonsOfAPoolThatIsNotTheCommonOneAndEnd() throws InterruptedException {
        List<ForkJoinPool> pools = new ArrayList<>();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Team team = new Team(2);
        team.together(2, () -> {
            work();
            await(barrier);
            if (Thread.currentThread() instanceof ForkJoinWorkerThread worker) {
                pools.add(worker.getPool());
                assertTrue(worker.isDaemon());
            }
        });
        assertEquals(1, pools.size());
        assertFalse(pools.get(0) == ForkJoinPool.commonPool());
        team.close();
        for (Thread thread : workers) {
            if (thread != Thread.currentThread()) {
                thread.join(20_000);
                assertFalse(thread.isAlive());
            }
        }
    }

    @Test
    void oneMemberIsTheCallingThread() throws InterruptedException {
        try (Team team = new Team(8)) {
            team.together(1, this::work);
        }
        assertEquals(Set.of(Thread.currentThread()), workers);
    }

    @Test
    void teamGrows() throws InterruptedException {
        try (Team team = new Team(3)) {
            team.together(2, this::work);
            CyclicBarrier barrier = new CyclicBarrier(3);
            team.together(3, () -> {
                work();
                await(barrier);
            });
        }
        assertEquals(5, runs.get());
    }

    /** As the JDK does it: the error comes where a thread is created, or where it is started. */
    private static List<ForkJoinWorkerThreadFactory> systemsWith(int threads) {
        AtomicInteger created = new AtomicInteger(threads);
        AtomicInteger started = new AtomicInteger(threads);
        return List.of(
                pool -> {
                    requireOne(created);
                    return new ForkJoinWorkerThread(pool) {};
                },
                pool -> new ForkJoinWorkerThread(pool) {
                    @Override
                    public synchronized void start() {
                        requireOne(started);
                        super.start();
                    }
                },
                pool -> null);
    }

    private static void requireOne(AtomicInteger left) {
        if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    @Test
    void workIsDoneByExistingThreadsIfNoneCanBeStarted() throws InterruptedException {
        for (int threads = 0; threads < 3; threads++) {
            for (ForkJoinWorkerThreadFactory factory : systemsWith(threads)) {
                workers.clear();
                runs.set(0);
                try (Team team = new Team(10, factory)) {
                    for (int round = 0; round < 10; round++) {
                        team.together(10, this::work);
                    }
                }
                assertEquals(100, runs.get());
                assertTrue(workers.size() <= threads + 1, workers::toString);
            }
        }
    }

    /** Threads that take a part find no thread for the next one: the part that they have taken is not lost. */
    @Test
    void threadsThatDieLoseNothing() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            AtomicInteger left = new AtomicInteger(round % 7);
            runs.set(0);
            ForkJoinWorkerThreadFactory factory = pool -> {
                requireOne(left);
                return new ForkJoinWorkerThread(pool) {};
            };
            try (Team team = new Team(20, factory)) {
                team.together(20, this::work);
            }
            assertEquals(20, runs.get());
        }
    }

    @Test
    void exceptionIsThrownWhenAllHaveEnded() {
        Error first = new StackOverflowError("told to fail");
        AtomicInteger ended = new AtomicInteger();
        try (Team team = new Team(3)) {
            CyclicBarrier barrier = new CyclicBarrier(3);
            Error thrown = assertThrows(
                    Error.class,
                    () -> team.together(3, () -> {
                        work();
                        await(barrier);
                        if (runs.getAndIncrement() < 5) {
                            throw first;
                        }
                        ended.incrementAndGet();
                    }));
            assertSame(first, thrown);
        }
        assertEquals(1, ended.get());
    }

    /** As languages other than Java do. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void checkedExceptionsAreThrownToo() {
        Exception checked = new Exception("told to fail");
        try (Team team = new Team(2)) {
            IllegalStateException e = assertThrows(
                    IllegalStateException.class,
                    () -> team.together(2, () -> TeamTest.<RuntimeException>sneak(checked)));
            assertSame(checked, e.getCause());
        }
    }

    @Test
    void interruptEndsTheWait() throws InterruptedException {
        Thread caller = Thread.currentThread();
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        CyclicBarrier both = new CyclicBarrier(2);
        try (Team team = new Team(2)) {
            assertThrows(
                    InterruptedException.class,
                    () -> team.together(2, () -> {
                        await(both);
                        if (Thread.currentThread() != caller) {
                            caller.interrupt();
                            awaitUninterruptibly(end);
                            ended.countDown();
                        }
                    }));
            assertEquals(1, ended.getCount());
            end.countDown();
            assertTrue(ended.await(20, TimeUnit.SECONDS));
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void teamHasBetweenOneAndItsSizeMembers() throws InterruptedException {
        assertThrows(IllegalArgumentException.class, () -> new Team(0));
        try (Team team = new Team(2)) {
            assertThrows(IllegalArgumentException.class, () -> team.together(3, this::work));
            assertThrows(IllegalArgumentException.class, () -> team.together(0, this::work));
        }
    }

    /** A pool with two threads of which each waits for the other's task goes on when waits are known to it. */
    @Test
    void poolKnowsOfWaits() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        Object monitor = new Object();
        boolean[] done = {false};
        var waiting = pool.submit(() -> {
            synchronized (monitor) {
                while (!done[0]) {
                    ManagedWait.on(monitor);
                }
            }
            return null;
        });
        pool.submit(() -> {
                    synchronized (monitor) {
                        done[0] = true;
                        monitor.notifyAll();
                    }
                })
                .get(20, TimeUnit.SECONDS);
        waiting.get(20, TimeUnit.SECONDS);
        pool.shutdown();
        assertTrue(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    /** Nor does it matter that the pool has no thread to run instead. */
    @Test
    void waitWorksWithoutPool() throws Exception {
        Object monitor = new Object();
        boolean[] done = {false};
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                done[0] = true;
                monitor.notifyAll();
            }
        });
        AtomicInteger left = new AtomicInteger(1);
        ForkJoinPool one = new ForkJoinPool(
                1,
                pool -> {
                    requireOne(left);
                    return new ForkJoinWorkerThread(pool) {};
                },
                null,
                false);
        var waiting = one.submit(() -> {
            synchronized (monitor) {
                other.start();
                while (!done[0]) {
                    ManagedWait.on(monitor);
                }
            }
            return null;
        });
        waiting.get(20, TimeUnit.SECONDS);
        one.shutdown();
        other.join(20_000);
    }
}
