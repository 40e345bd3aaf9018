package dev.rechunker.exec;

import dev.rechunker.run.Report.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A limited number of samples of a run of any length. When the number is reached, every second sample is dropped, and
 * the interval between samples is doubled. Thread-safe.
 */
final class Samples {
    /** The most samples that are kept. */
    static final int MOST = 512;

    private static final long FIRST_INTERVAL_NANOS = 5_000_000L;

    private final List<Sample> samples = new ArrayList<>();
    private final AtomicLong next;
    private long interval = FIRST_INTERVAL_NANOS;

    /** Creates it without samples, with a start time in nanoseconds. */
    Samples(long start) {
        this.next = new AtomicLong(start);
    }

    /** Takes a sample if it is time for one. */
    void offer(long now, Supplier<Sample> sample) {
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + Long.MAX_VALUE / 2)) {
            next.set(now + add(sample.get()));
        }
    }

    /** Adds a sample at any time; {@return the nanoseconds until the next one is due} */
    synchronized long add(Sample sample) {
        if (samples.size() == MOST) {
            for (int kept = 0; kept < MOST / 2; kept++) {
                samples.set(kept, samples.get(2 * kept));
            }
            samples.subList(MOST / 2, MOST).clear();
            interval *= 2;
        }
        Sample last = samples.isEmpty() ? sample : samples.get(samples.size() - 1);
        if (sample.elapsed().compareTo(last.elapsed()) >= 0) {
            samples.add(sample);
        }
        return interval;
    }

    /** {@return the samples so far, in the order of time} */
    synchronized List<Sample> toList() {
        return List.copyOf(samples);
    }
}
