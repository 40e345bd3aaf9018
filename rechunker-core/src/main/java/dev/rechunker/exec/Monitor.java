package dev.rechunker.exec;

import dev.rechunker.memory.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** Counts what a run does, for its report, and tells a listener. Thread-safe. */
public final class Monitor {
    private static final long INTERVAL_NANOS = 100_000_000L;
    private static final double SMOOTHING_SECONDS = 3;

    private final ProgressListener listener;
    private final MemoryBudget budget;
    private final long tasks;
    private final long bytesToMove;
    private final long start = System.nanoTime();
    private final AtomicLong nextEvent = new AtomicLong(start + INTERVAL_NANOS);
    private final ReentrantLock telling = new ReentrantLock();

    private final LongAdder tasksDone = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder bytesLeftOut = new LongAdder();
    private final LongAdder storedRead = new LongAdder();
    private final LongAdder storedWritten = new LongAdder();
    private final LongAdder sourceReads = new LongAdder();
    private final LongAdder unitsWritten = new LongAdder();
    private final LongAdder unitsEmpty = new LongAdder();
    private final AtomicLong spillPeak = new AtomicLong();

    private volatile String array = "";
    private volatile String stage = "";
    private double rate;
    private long lastTime = start;
    private long lastMoved;

    /**
     * Starts the clock.
     *
     * @param budget whose ledger is reported
     * @param tasks tasks in all
     * @param bytesToMove uncompressed bytes to be read and written in all
     */
    public Monitor(ProgressListener listener, MemoryBudget budget, long tasks, long bytesToMove) {
        this.listener = listener;
        this.budget = budget;
        this.tasks = tasks;
        this.bytesToMove = bytesToMove;
    }

    void begin(String arrayName, String stageName) {
        array = arrayName;
        stage = stageName;
    }

    void read(boolean fromSource, long uncompressed, long stored) {
        if (fromSource) {
            sourceReads.increment();
        }
        bytesRead.add(uncompressed);
        storedRead.add(stored);
        tellNowAndThen();
    }

    void written(boolean toTarget, long uncompressed, long stored) {
        if (toTarget) {
            unitsWritten.increment();
        }
        bytesWritten.add(uncompressed);
        storedWritten.add(stored);
        tellNowAndThen();
    }

    void empty(boolean toTarget, long uncompressed) {
        if (toTarget) {
            unitsEmpty.increment();
        }
        bytesLeftOut.add(uncompressed);
        tellNowAndThen();
    }

    void taskDone() {
        tasksDone.increment();
    }

    void spilled(long bytes) {
        spillPeak.accumulateAndGet(bytes, Math::max);
    }

    private void tellNowAndThen() {
        long now = System.nanoTime();
        long next = nextEvent.get();
        if (now - next >= 0 && nextEvent.compareAndSet(next, now + INTERVAL_NANOS) && telling.tryLock()) {
            try {
                listener.onProgress(progress(now, false));
            } finally {
                telling.unlock();
            }
        }
    }

    /** Tells the listener that the run has ended. */
    public void end() {
        telling.lock();
        try {
            listener.onProgress(progress(System.nanoTime(), true));
        } finally {
            telling.unlock();
        }
    }

    private Progress progress(long now, boolean ended) {
        long moved = bytesRead.sum() + bytesWritten.sum() + bytesLeftOut.sum();
        double seconds = (now - lastTime) / 1e9;
        if (seconds > 0) {
            double current = (moved - lastMoved) / seconds;
            double weight = lastTime == start ? 1 : 1 - Math.exp(-seconds / SMOOTHING_SECONDS);
            rate += weight * (current - rate);
            lastTime = now;
            lastMoved = moved;
        }
        double left = ended || rate <= 0 ? 0 : Math.max(0, bytesToMove - moved) / rate;
        return new Progress(
                array,
                stage,
                tasksDone.sum(),
                tasks,
                storedRead.sum(),
                bytesRead.sum(),
                storedWritten.sum(),
                moved,
                bytesToMove,
                Duration.ofNanos(now - start),
                rate,
                Duration.ofMillis((long) (left * 1000)),
                budget.held());
    }

    /** {@return what has been counted} */
    public Report report(long projectedMemory) {
        return new Report(
                Duration.ofNanos(System.nanoTime() - start),
                projectedMemory,
                budget.highWater(),
                bytesRead.sum(),
                bytesWritten.sum(),
                storedRead.sum(),
                storedWritten.sum(),
                spillPeak.get(),
                sourceReads.sum(),
                unitsWritten.sum(),
                unitsEmpty.sum(),
                tasksDone.sum());
    }
}
