package dev.rechunker.exec;

import static java.lang.System.Logger.Level.WARNING;

import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.picture.RunPicture;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Progress;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import dev.rechunker.run.Report.Sample;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** The counters of a run, for its report, and for a listener that is called with the progress. Thread-safe. */
public final class Monitor {
    private static final long INTERVAL_NANOS = 100_000_000L;
    private static final double SMOOTHING_SECONDS = 3;
    private static final String COMPARISON = "verify";

    private final ProgressListener listener;
    private final MemoryBudget budget;
    private final long tasks;
    private final long bytesToMove;
    private final long maxMem;
    private final long start = System.nanoTime();
    private final AtomicLong nextEvent = new AtomicLong(start + INTERVAL_NANOS);
    private final ReentrantLock telling = new ReentrantLock();
    private final Samples samples = new Samples(start);

    private final LongAccumulator heldElsewhere = new LongAccumulator(Math::max, 0);
    private final LongAdder tasksDone = new LongAdder();
    private final LongAdder tasksDoneBefore = new LongAdder();
    private final LongAdder bytesDoneBefore = new LongAdder();
    private final LongAdder targetBytesDone = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final StoredBytes storedRead = new StoredBytes(bytesRead::sum);
    private final StoredBytes storedWritten = new StoredBytes(bytesWritten::sum);
    private final LongAdder bytesLeftOut = new LongAdder();
    private final LongAdder bytesCompared = new LongAdder();
    private final DoubleAdder sourceReads = new DoubleAdder();
    private final LongAdder readRequests = new LongAdder();
    private final LongAdder writeRequests = new LongAdder();
    private final LongAdder unitsWritten = new LongAdder();
    private final LongAdder unitsEmpty = new LongAdder();
    private final AtomicLong spillPeak = new AtomicLong();

    private volatile ArrayNumber arrayNumber = new ArrayNumber(0, 0);
    private volatile Part part = new Part("", "");
    private double rate;
    private long lastTime = start;
    private long lastMoved;

    /**
     * Creates the counters, and starts the clock.
     *
     * @param budget the budget of which the memory in use is reported
     * @param tasks the number of all tasks
     * @param bytesToMove the number of all uncompressed bytes to be read, written and compared
     * @param maxMem the memory limit in progress and report; the budget may be less
     */
    public Monitor(ProgressListener listener, MemoryBudget budget, long tasks, long bytesToMove, long maxMem) {
        this.listener = listener;
        this.budget = budget;
        this.tasks = tasks;
        this.bytesToMove = bytesToMove;
        this.maxMem = maxMem;
        samples.add(sample(start));
    }

    /**
     * Sets the current array.
     *
     * @param number its number from 1
     * @param of the number of all arrays
     */
    public void beginArray(int number, int of) {
        arrayNumber = new ArrayNumber(number, of);
    }

    private record ArrayNumber(int number, int of) {}

    /** Sets the current stage of an array. Its reader and writer count the stored bytes. */
    void beginStage(CopyRun.Subject array, String stage, ArrayReader reader, ArrayWriter writer) {
        part = new Part(array.name(), stage);
        storedRead.begin(array.number(), reader::storedBytesRead);
        storedWritten.begin(array.number(), writer::storedBytesWritten);
    }

    /**
     * Ends the copy of an array, whose reader and writer are closed.
     *
     * @param number its number from 0
     */
    public void endArray(int number) {
        storedRead.end(number);
        storedWritten.end(number);
    }

    /** Sets the current stage: the comparison of an array with its source. */
    public void beginComparison(String array) {
        part = new Part(array, COMPARISON);
    }

    /** Counts bytes that were compared, those of both arrays. */
    public void countCompared(long bytes) {
        bytesCompared.add(bytes);
        tellNowAndThen();
    }

    private record Part(String array, String stage) {}

    /** Counts a read of the source. {@code chunks} is the number of chunks, or a part of one. */
    void countRead(long uncompressed, double chunks) {
        sourceReads.add(chunks);
        readRequests.increment();
        bytesRead.add(uncompressed);
        tellNowAndThen();
    }

    /** Counts a write unit that was written. */
    void countWritten(long uncompressed) {
        unitsWritten.increment();
        writeRequests.increment();
        targetBytesDone.add(uncompressed);
        bytesWritten.add(uncompressed);
        tellNowAndThen();
    }

    /** Counts a write unit that is left out. */
    void countOmitted(long uncompressed) {
        unitsEmpty.increment();
        targetBytesDone.add(uncompressed);
        bytesLeftOut.add(uncompressed);
        tellNowAndThen();
    }

    /** Counts bytes that were read from a spill. */
    void countSpillRead(long bytes) {
        readRequests.increment();
        bytesRead.add(bytes);
        tellNowAndThen();
    }

    /** Counts bytes that were written to a spill. */
    void countSpillWritten(long bytes) {
        writeRequests.increment();
        bytesWritten.add(bytes);
        tellNowAndThen();
    }

    /**
     * Counts tasks that an earlier run has done.
     *
     * @param bytes the bytes that they have read, and also those that they have written
     * @param toTarget whether they were written to the target
     */
    public void countDoneBefore(long tasks, long bytes, boolean toTarget) {
        tasksDoneBefore.add(tasks);
        bytesDoneBefore.add(2 * bytes);
        if (toTarget) {
            targetBytesDone.add(bytes);
        }
    }

    /** Records the most bytes that another process used for its tasks. */
    public void recordMemoryElsewhere(long bytes) {
        heldElsewhere.accumulate(bytes);
    }

    /** {@return the number of tasks that this run and earlier ones have done} */
    public long tasksDone() {
        return tasksDoneBefore.sum() + tasksDone.sum();
    }

    /** {@return the uncompressed bytes of the target that this run and earlier ones have done} */
    public long targetBytesDone() {
        return targetBytesDone.sum();
    }

    /** Counts the tasks of an array that was made while another was written. */
    public void countTasks(long tasks) {
        tasksDone.add(tasks);
    }

    void countTask() {
        tasksDone.increment();
        Part current = part;
        Events.taskEnded(current.array, current.stage, tasksDone);
    }

    /** Records the bytes that a spill contains. */
    void recordSpillSize(long bytes) {
        spillPeak.accumulateAndGet(bytes, Math::max);
    }

    private void tellNowAndThen() {
        long now = System.nanoTime();
        samples.offer(now, () -> sample(now));
        long next = nextEvent.get();
        if (now - next >= 0 && nextEvent.compareAndSet(next, now + INTERVAL_NANOS) && telling.tryLock()) {
            try {
                listener.onProgress(progress(now, false));
            } finally {
                telling.unlock();
            }
        }
    }

    /** Calls the listener for the last time. */
    public void end() {
        telling.lock();
        try {
            listener.onProgress(progress(System.nanoTime(), true));
        } catch (RuntimeException e) {
            System.getLogger(CopyRun.LOGGER).log(WARNING, "the progress listener failed at the end of the run", e);
        } finally {
            telling.unlock();
        }
    }

    private Sample sample(long now) {
        return new Sample(
                Duration.ofNanos(now - start), part.stage, bytesRead.sum(), bytesWritten.sum(), budget.held());
    }

    private Progress progress(long now, boolean ended) {
        long moved =
                bytesRead.sum() + bytesWritten.sum() + bytesLeftOut.sum() + bytesDoneBefore.sum() + bytesCompared.sum();
        if (ended) {
            moved = bytesToMove; // the bytes of earlier runs, of samples, and of some tasks of a stage are estimates
        }
        double seconds = (now - lastTime) / 1e9;
        if (seconds > 0) {
            double current = (moved - lastMoved) / seconds;
            double weight = lastTime == start ? 1 : 1 - Math.exp(-seconds / SMOOTHING_SECONDS);
            rate += weight * (current - rate);
            lastTime = now;
            lastMoved = moved;
        }
        double left = ended || rate <= 0 ? 0 : Math.max(0, bytesToMove - moved) / rate;
        Part current = part;
        ArrayNumber array = arrayNumber;
        return Progress.builder()
                .array(current.array)
                .stage(current.stage)
                .arrayNumber(array.number)
                .arrays(array.of)
                .tasksDone(tasksDone())
                .tasks(tasks)
                .bytesRead(storedRead.sum())
                .bytesDecoded(bytesRead.sum())
                .bytesWritten(storedWritten.sum())
                .bytesEncoded(bytesWritten.sum())
                .bytesMoved(moved)
                .bytesToMove(bytesToMove)
                .elapsed(Duration.ofNanos(now - start))
                .bytesPerSecond(rate)
                .remaining(Duration.ofMillis((long) (left * 1000)))
                .memoryHeld(budget.held())
                .maxMem(maxMem)
                .ended(ended)
                .build();
    }

    /** {@return a report with the counters and further figures} */
    public Report.Builder report(long projectedMemory, long retries, List<String> corrupt, List<Loss> losses) {
        long now = System.nanoTime();
        samples.add(sample(now));
        return Report.builder()
                .elapsed(Duration.ofNanos(now - start))
                .projectedMemory(projectedMemory)
                .measuredMemory(Math.max(budget.highWater(), heldElsewhere.get()))
                .maxMem(maxMem)
                .bytesRead(bytesRead.sum())
                .bytesWritten(bytesWritten.sum())
                .storedBytesRead(storedRead.sum())
                .storedBytesWritten(storedWritten.sum())
                .readRequests(readRequests.sum())
                .writeRequests(writeRequests.sum())
                .spillPeakBytes(spillPeak.get())
                .sourceChunkReads(Math.round(sourceReads.sum()))
                .unitsWritten(unitsWritten.sum())
                .unitsEmpty(unitsEmpty.sum())
                .tasks(tasksDone.sum())
                .tasksDoneBefore(tasksDoneBefore.sum())
                .retries(retries)
                .corrupt(corrupt)
                .losses(losses)
                .samples(samples.toList())
                .page(report -> RunPicture.of(report).html());
    }
}
