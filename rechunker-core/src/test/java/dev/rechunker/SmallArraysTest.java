package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Small arrays of a group are copied at the same time, each by one thread, inside the memory limit. */
class SmallArraysTest {
    private static final int ARRAYS = 40;
    private static final int THREADS = 4;
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(16, 12), Shape.of(4, 12)), DataType.INT32)
            .build();

    private final MemoryStore from = new MemoryStore();

    SmallArraysTest() {
        for (int number = 0; number < ARRAYS; number++) {
            from.put(name(number), SPEC, elements(number));
        }
    }

    private static String name(int number) {
        return "g" + number / 10 + "/a" + number;
    }

    private static byte[] elements(int number) {
        ByteBuffer elements = ByteBuffer.allocate((int) SPEC.bytes());
        for (int i = 0; elements.hasRemaining(); i++) {
            elements.putInt(number * 1000 + i);
        }
        return elements.array();
    }

    /** A target that counts the arrays that are being written, and the threads that are inside of it. */
    private static final class Target extends ForwardingStore {
        final MemoryStore memory;
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger mostOpen = new AtomicInteger();
        private final boolean concurrent;
        private final String broken;
        /** Until two arrays are open, none is written. */
        private final CountDownLatch two;

        /** Until the first thread has stopped, the arrays beside a broken one are not written. */
        private final CountDownLatch stopped;

        Target(boolean concurrent, String broken) {
            this(new MemoryStore(), concurrent, broken);
        }

        private Target(MemoryStore memory, boolean concurrent, String broken) {
            super(memory);
            this.memory = memory;
            this.concurrent = concurrent;
            this.broken = broken;
            this.two = new CountDownLatch(concurrent ? 2 : 1);
            this.stopped = new CountDownLatch(broken.isEmpty() ? 0 : 1);
        }

        @Override
        public Capabilities capabilities() {
            return super.capabilities().withConcurrentArrays(concurrent);
        }

        private static void await(CountDownLatch latch) throws IOException {
            try {
                assertTrue(latch.await(1, TimeUnit.MINUTES));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
            ArrayWriter writer = opening.open();
            mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
            two.countDown();
            return new Writer(writer) {
                @Override
                public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                    await(two);
                    if (path.equals(broken)) {
                        throw new StoreException("the device is broken");
                    }
                    await(stopped);
                    super.write(unit, data, scratch);
                }

                @Override
                public void close() throws IOException {
                    open.decrementAndGet();
                    super.close();
                }
            };
        }
    }

    private static Report copy(ChunkStore from, ChunkStore to, Executor executor, String maxMem) throws Exception {
        return Rechunker.from(from)
                .to(to)
                .chunks(16, 3)
                .maxMem(maxMem)
                .executor(executor)
                .execute();
    }

    private static void assertCopied(MemoryStore to) throws IOException {
        for (int number = 0; number < ARRAYS; number++) {
            assertArrayEquals(elements(number), to.elements(name(number)), name(number));
        }
    }

    @Test
    void asManyAsThereAreThreads() throws Exception {
        Target to = new Target(true, "");
        Report report = copy(from, to, new ForkJoinExecutor(THREADS), "1MB");
        assertCopied(to.memory);
        assertTrue(to.mostOpen.get() >= 2 && to.mostOpen.get() <= THREADS, () -> to.mostOpen + " were open");
        assertEquals(0, to.open.get());
        assertTrue(report.measuredMemory() <= report.projectedMemory());
        assertTrue(report.projectedMemory() <= 1_000_000);
        assertEquals(ARRAYS * SPEC.bytes(), report.bytesRead());
        assertEquals(ARRAYS * SPEC.bytes(), report.storedBytesWritten());
    }

    @Test
    void asManyAsFitIntoTheMemoryLimit() throws Exception {
        long one = smallestLimit();
        Target to = new Target(true, "");
        Report report = copy(from, to, new ForkJoinExecutor(THREADS), 3 * one - 1 + "");
        assertCopied(to.memory);
        assertEquals(2, to.mostOpen.get());
        assertTrue(report.measuredMemory() < 3 * one);
    }

    /** {@return the smallest memory limit of one array, in bytes} */
    private long smallestLimit() throws IOException {
        for (long limit = 1; ; limit++) {
            try {
                Rechunker.from(from.at(name(0)))
                        .to(new MemoryStore())
                        .chunks(16, 3)
                        .maxMem(limit + "")
                        .executor(new SerialExecutor())
                        .plan();
                return limit;
            } catch (InfeasiblePlanException e) {
                // More is needed.
            }
        }
    }

    @Test
    void oneAfterTheOtherWhereTheStoreNeedsThat() throws Exception {
        Target to = new Target(false, "");
        copy(from, to, new ForkJoinExecutor(THREADS), "1MB");
        assertCopied(to.memory);
        assertEquals(1, to.mostOpen.get());
    }

    /** Threads of which each counts a latch down when it stops working. */
    private record Stopping(CountDownLatch stopped) implements Executor {
        @Override
        public int threads() {
            return THREADS;
        }

        @Override
        public void execute(TaskGroup tasks) throws IOException, InterruptedException {
            try (Team team = new Team(THREADS)) {
                tasks.run(0, tasks.count(), new Crew() {
                    @Override
                    public int size() {
                        return THREADS;
                    }

                    @Override
                    public void together(int members, Runnable work) throws InterruptedException {
                        team.together(members, () -> {
                            work.run();
                            stopped.countDown();
                        });
                    }
                });
            }
        }
    }

    @Test
    void aFailureStopsTheOthers() throws Exception {
        Target to = new Target(true, name(0));
        IOException failure = assertThrows(IOException.class, () -> copy(from, to, new Stopping(to.stopped), "1MB"));
        assertTrue(String.valueOf(failure.getMessage()).contains("the device is broken"), failure.getMessage());
        assertEquals(0, to.open.get());
        for (int number = THREADS; number < ARRAYS; number++) {
            assertFalse(to.memory.node(name(number)).isPresent(), name(number) + " was begun");
        }
    }

    @Test
    void anExecutorMayRunPartsOfThemAtOnce() throws Exception {
        Target to = new Target(false, "");
        Executor two = new Executor() {
            @Override
            public int threads() {
                return 2;
            }

            @Override
            public void execute(TaskGroup tasks) throws IOException, InterruptedException {
                long half = tasks.count() / 2;
                Thread first = new Thread(() -> {
                    try {
                        tasks.run(0, half, Crew.ALONE);
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
                first.start();
                tasks.run(half, tasks.count(), Crew.ALONE);
                first.join();
            }
        };
        copy(from, to, two, "1MB");
        assertCopied(to.memory);
    }

    @Test
    void anExecutorThatLeavesOutArraysIsRefused() {
        Executor lazy = new Executor() {
            @Override
            public int threads() {
                return 2;
            }

            @Override
            public void execute(TaskGroup tasks) throws IOException, InterruptedException {
                tasks.run(0, tasks.count() - 1, Crew.ALONE);
            }
        };
        MemoryStore to = new MemoryStore();
        assertThrows(IllegalStateException.class, () -> copy(from, to, lazy, "1MB"));
    }

    @Test
    void anInterruptEndsAllOfThem() throws Exception {
        Target to = new Target(true, "");
        ChunkStore slow = new ForwardingStore(from) {
            @Override
            public ArrayReader openReader(String path) throws IOException {
                return new Reader(super.openReader(path)) {
                    @Override
                    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
                        try {
                            Thread.sleep(60_000);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                            throw new IOException(e);
                        }
                        return super.read(region, target, scratch);
                    }
                };
            }
        };
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> copy(slow, to, new SerialExecutor(), "1MB"));
        assertFalse(Thread.currentThread().isInterrupted());
        assertEquals(0, to.open.get());
    }
}
