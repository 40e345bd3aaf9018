package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Throwables;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a run has failed, none of its threads is working any more, whatever its crew does. */
@Timeout(60)
class FailingCrewTest {
    private final FaultyStore source =
            new FaultyStore(MemoryStore.builder().granularity(Granularity.CHUNK).build());
    private final MemoryStore target = new MemoryStore();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final AtomicInteger atWork = new AtomicInteger();
    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    /** An executor with a given crew. */
    private interface Together {
        void together(int members, Runnable work) throws InterruptedException;
    }

    @BeforeEach
    void slowReads() throws IOException {
        Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(60, 120), Shape.of(60, 1)), DataType.INT64)
                        .build())
                .write(source, "");
        source.before(Operation.READ, number -> {
            atWork.incrementAndGet();
            reading.countDown();
            try {
                TimeUnit.MILLISECONDS.sleep(300);
            } catch (InterruptedException e) {
                throw (IOException) new InterruptedIOException("interrupted").initCause(e);
            } finally {
                atWork.decrementAndGet();
            }
        });
    }

    private <E extends Exception> E failed(Class<E> type, Together together) throws IOException {
        Crew crew = new Crew() {
            @Override
            public int size() {
                return 2;
            }

            @Override
            public void together(int members, Runnable work) throws InterruptedException {
                assertEquals(2, members);
                together.together(members, work);
            }
        };
        Executor executor = new Executor() {
            @Override
            public int threads() {
                return 2;
            }

            @Override
            public void execute(TaskGroup tasks) throws IOException, InterruptedException {
                tasks.run(0, tasks.count(), crew);
            }
        };
        E e = assertThrows(
                type,
                () -> Rechunker.from(source)
                        .to(target)
                        .chunks(10, 120)
                        .maxMem("100kB")
                        .executor(executor)
                        .execute());
        assertEquals(0, atWork.get());
        assertTrue(target.node("").isEmpty());
        assertTrue(thrown.isEmpty(), thrown::toString);
        return e;
    }

    private Thread start(Thread thread) {
        thread.setUncaughtExceptionHandler((t, e) -> thrown.add(e));
        thread.start();
        return thread;
    }

    @Test
    void serviceRefusesTheSecondThread() throws Exception {
        failed(RejectedExecutionException.class, (members, work) -> {
            start(new Thread(work));
            reading.await();
            throw new RejectedExecutionException("told to refuse");
        });
    }

    @Test
    void crewReturnsWhileItsThreadsWork() throws Exception {
        IllegalStateException e = failed(IllegalStateException.class, (members, work) -> {
            start(new Thread(work));
            start(new Thread(work));
            reading.await();
        });
        assertTrue(String.valueOf(e.getMessage()).contains("of 2 threads"), e::getMessage);
    }

    /** The work is never started, as the queue is discarded. */
    @Test
    void callerIsInterruptedWhileThreadIsQueued() throws Exception {
        Thread caller = Thread.currentThread();
        failed(InterruptedException.class, (members, work) -> {
            start(new Thread(work));
            reading.await();
            caller.interrupt();
            new CountDownLatch(1).await();
        });
    }

    /** As if the heap was exhausted while a thread looks for its next task. */
    @Test
    void errorBetweenTwoJobs() throws Exception {
        IOException e = failed(IOException.class, (members, work) -> {
            Thread good = start(new Thread(work));
            reading.await();
            Thread bad = start(new Thread(work) {
                @Override
                public boolean isInterrupted() {
                    throw new OutOfMemoryError("told to have no heap");
                }
            });
            for (Thread thread : List.of(good, bad)) {
                thread.join();
            }
        });
        assertInstanceOf(OutOfMemoryError.class, Throwables.getRootCause(e));
        String message = String.valueOf(e.getMessage());
        assertTrue(
                message.endsWith(": the heap of this JVM is too small (told to have no heap); allow more with -Xmx"),
                message);
    }

    /** An error whose message cannot be read, so that only its type can be reported. */
    private static final class Speechless extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new StackOverflowError("told to fail again");
        }

        @Override
        public String toString() {
            return "an error without words";
        }
    }

    /** As in languages without checked exceptions. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** Whatever a lane throws ends the run with this failure, and no thread waits for the lane. */
    private <E extends Exception> void assertEndsWith(Throwable thrown, Class<E> type) throws Exception {
        for (Executor executor : List.of(new ForkJoinExecutor(1), new ForkJoinExecutor(2), new ForkJoinExecutor(4))) {
            AtomicInteger failures = new AtomicInteger();
            source.before(Operation.READ, number -> {
                if (number > 3) {
                    failures.incrementAndGet();
                    FailingCrewTest.<RuntimeException>sneak(thrown);
                }
            });
            E e = assertThrows(
                    type,
                    () -> Rechunker.from(source)
                            .to(target)
                            .chunks(10, 120)
                            .maxMem("100kB")
                            .retries(0)
                            .executor(executor)
                            .execute());
            assertTrue(failures.get() > 0);
            assertSame(thrown, Throwables.getRootCause(e));
            assertTrue(target.node("").isEmpty());
        }
    }

    @Test
    void errorInLane() throws Exception {
        assertEndsWith(new OutOfMemoryError("told to have no heap"), TaskFailedException.class);
        assertEndsWith(new StackOverflowError(), TaskFailedException.class);
    }

    @Test
    void errorThatFailsAgainWhenItIsRecorded() throws Exception {
        assertEndsWith(new Speechless(), IOException.class);
    }

    @Test
    void undeclaredCheckedException() throws Exception {
        assertEndsWith(new Exception("told to fail"), TaskFailedException.class);
    }

    /** The work that is passed to a crew does not throw, whatever fails. */
    @Test
    void crewNeverReceivesExceptionsOfLanes() throws Exception {
        source.before(Operation.READ, number -> FailingCrewTest.<RuntimeException>sneak(new Speechless()));
        IOException e = failed(IOException.class, (members, work) -> {
            for (Thread thread : List.of(start(new Thread(work)), start(new Thread(work)))) {
                thread.join();
            }
        });
        assertInstanceOf(Speechless.class, Throwables.getRootCause(e));
    }
}
