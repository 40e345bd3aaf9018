package dev.rechunker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ArrayPlan;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A remote source is asked about several nodes at once, with the same result as if it were local. */
class LookAheadTest {
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(4, 4), Shape.of(2, 2)), DataType.INT16)
            .build();

    private static final int ARRAYS = 70;

    /** A store that is remote or local, and watches what it is asked. */
    private static class WatchedStore extends ForwardingStore {
        private final boolean remote;
        int waits = 10_000;
        final AtomicInteger now = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        final Set<String> asked = ConcurrentHashMap.newKeySet();

        WatchedStore(StrictStore delegate, boolean remote) {
            super(delegate);
            this.remote = remote;
        }

        @Override
        public Capabilities capabilities() {
            return super.capabilities().withRemote(remote);
        }

        @Override
        public Optional<Node> node(String path) throws IOException {
            return watched(path, () -> super.node(path));
        }

        @Override
        public List<String> children(String path) throws IOException {
            return watched(path, () -> super.children(path));
        }

        @Override
        public List<String> omissions(String path) throws IOException {
            return watched(path, () -> path.endsWith("7") ? List.of("an omission of " + path) : List.of());
        }

        @Override
        public List<String> layoutOmissions(String path) throws IOException {
            return watched(path, () -> path.endsWith("8") ? List.of("the layout of " + path) : List.of());
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            return watched(path, () -> super.openReader(path));
        }

        /** Is called before each question. */
        void before(String path) throws IOException {
            asked.add(path);
        }

        private interface Question<T> {
            T ask() throws IOException;
        }

        private <T> T watched(String path, Question<T> question) throws IOException {
            threads.add(Thread.currentThread());
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                for (int i = 0; i < waits && remote && !path.isEmpty() && most.get() < 2; i++) {
                    Thread.sleep(2); // until another thread asks something
                }
                before(path);
                return question.ask();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            } finally {
                now.decrementAndGet();
            }
        }
    }

    /** A store in which some nodes cannot be understood, and some arrays not be read. */
    private static final class OddStore extends WatchedStore {
        OddStore(StrictStore delegate, boolean remote) {
            super(delegate, remote);
        }

        @Override
        public Optional<Node> node(String path) throws IOException {
            if (path.endsWith("5")) {
                throw new StoreException(path + " is odd");
            }
            return super.node(path);
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            if (path.endsWith("6")) {
                throw new StoreException(path + " cannot be read");
            }
            return super.openReader(path);
        }
    }

    private static StrictStore source() throws IOException {
        MemoryStore store = MemoryStore.builder().name("source").build();
        for (int i = 0; i < ARRAYS; i++) {
            Data.of(SPEC).write(store, "a" + i);
            Data.of(SPEC).write(store, "group" + i % 7 + "/inner/a" + i);
        }
        store.writeGroup("empty", Map.of("title", "none"));
        return new StrictStore(store);
    }

    private static Rechunker.Job job(ForwardingStore source) {
        return Rechunker.from(source)
                .to(new MemoryStore())
                .chunks("keep")
                .maxMem("1MB")
                .threads(2);
    }

    private static List<String> paths(Plan plan) {
        return plan.arrays().stream().map(ArrayPlan::path).toList();
    }

    @Test
    void arraysAndLossesAreTheSameInTheSameOrder() throws Exception {
        StrictStore stored = source();
        OddStore remote = new OddStore(stored, true);
        OddStore local = new OddStore(stored, false);
        Plan plan = job(remote).skip("a1*,group3").plan();
        Plan expected = job(local).skip("a1*,group3").plan();
        assertEquals(paths(expected), paths(plan));
        assertEquals(Loss.sentences(expected.losses()), Loss.sentences(plan.losses()));
        assertTrue(
                plan.losses().stream().anyMatch(loss -> loss.sentence().contains("an omission")),
                () -> plan.losses().toString());
        assertEquals(local.asked, remote.asked);
        assertEquals(Set.of(Thread.currentThread()), local.threads);
        assertEquals(1, local.most.get());
        assertTrue(remote.most.get() > 1, "nothing was asked at the same time");
        assertTrue(remote.most.get() <= LookAhead.THREADS, () -> remote.most + " threads asked at the same time");
        stored.assertClosed();
    }

    @Test
    void theFirstNodeThatFailsIsReported() throws Exception {
        StrictStore stored = source();
        IOException failure = new IOException("broken");
        WatchedStore remote = new WatchedStore(stored, true) {
            @Override
            void before(String path) throws IOException {
                super.before(path);
                if (path.equals("a20")) {
                    throw failure;
                } else if (path.equals("a21") || path.equals("a25")) {
                    throw new IOException("another one");
                }
            }
        };
        assertSame(failure, assertThrows(IOException.class, job(remote)::plan));
        assertTrue(remote.asked.contains("a30"), "nothing was asked in advance");
        stored.assertClosed();
    }

    @Test
    void theRefusalThatNeedsMostMemoryIsReported() throws Exception {
        StrictStore stored = source();
        WatchedStore remote = new WatchedStore(stored, true) {
            @Override
            void before(String path) throws IOException {
                super.before(path);
                if (path.startsWith("a")) {
                    throw new InfeasiblePlanException(path + " is too large", 1000, path.equals("a33") ? 3000 : 2000);
                }
            }
        };
        InfeasiblePlanException refusal = assertThrows(InfeasiblePlanException.class, job(remote)::plan);
        assertEquals(3000, refusal.minimumMemory());
        stored.assertClosed();
    }

    @Test
    void arraysOfManyChunksAreOpenedOneAtATime() throws Exception {
        ArraySpec many = ArraySpec.builder(ChunkGrid.regular(Shape.of(5000), Shape.of(1)), DataType.INT8)
                .build();
        MemoryStore store = new MemoryStore();
        for (int i = 0; i < 5; i++) {
            Data.of(many).write(store, "a" + i);
        }
        StrictStore stored = new StrictStore(store);
        AtomicInteger open = new AtomicInteger();
        AtomicInteger mostOpen = new AtomicInteger();
        WatchedStore remote = new WatchedStore(stored, true) {
            @Override
            public ArrayReader openReader(String path) throws IOException {
                mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
                return new Reader(super.openReader(path)) {
                    @Override
                    public void close() throws IOException {
                        open.decrementAndGet();
                        super.close();
                    }
                };
            }
        };
        assertEquals(5, paths(job(remote).plan()).size());
        assertEquals(1, mostOpen.get());
        assertTrue(remote.most.get() > 1, "nothing was asked at the same time");
        stored.assertClosed();
    }

    @Test
    void levelsAreAskedAboutInTheirOrder() throws Exception {
        StrictStore stored = source();
        WatchedStore remote = new WatchedStore(stored, true);
        remote.waits = 0;
        WatchedStore local = new WatchedStore(stored, false);
        List<String> expected = new ArrayList<>();
        job(local).levels(1).plan().arrays().forEach(array -> expected.add(array.path() + array.target()));
        List<String> arrays = new ArrayList<>();
        job(remote).levels(1).plan().arrays().forEach(array -> arrays.add(array.path() + array.target()));
        assertEquals(expected, arrays);
        assertEquals(1, remote.most.get());
        stored.assertClosed();
    }

    @Test
    void anInterruptEndsAllThreads() throws Exception {
        StrictStore stored = source();
        CountDownLatch waiting = new CountDownLatch(3);
        CountDownLatch never = new CountDownLatch(1);
        WatchedStore remote = new WatchedStore(stored, true) {
            @Override
            void before(String path) throws IOException {
                super.before(path);
                if (path.startsWith("a") && !path.equals("a0")) {
                    waiting.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new InterruptedIOException("interrupted");
                    }
                }
            }
        };
        FutureTask<Boolean> planning = new FutureTask<>(() -> {
            assertThrows(InterruptedIOException.class, job(remote)::plan);
            assertEquals(0, remote.now.get());
            stored.assertClosed();
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(planning, "planning");
        thread.start();
        waiting.await();
        thread.interrupt();
        assertTrue(planning.get(30, TimeUnit.SECONDS), "the interrupt was lost");
    }
}
