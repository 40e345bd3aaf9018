package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.run.Report.Sample;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Samples of a run of any duration are few, in order, and evenly spaced from its start to its end. */
class SamplesTest {
    private static final long START = Long.MAX_VALUE - 1_000_000_000L;

    private static Sample sample(long nanos) {
        return new Sample(Duration.ofNanos(nanos), "copy", nanos, 0, 0);
    }

    @Test
    void samplesAreFewAndEvenlySpaced() {
        for (long events : new long[] {1, 10, 511, 512, 513, 5_000, 1_000_000}) {
            Samples samples = new Samples(START);
            AtomicLong taken = new AtomicLong();
            long tick = 1_000_000;
            for (long event = 0; event < events; event++) {
                long now = event * tick;
                samples.offer(START + now, () -> {
                    taken.incrementAndGet();
                    return sample(now);
                });
            }
            long end = events * tick;
            samples.add(sample(end));
            List<Sample> list = samples.toList();
            assertTrue(list.size() <= Samples.MOST, () -> list.size() + " samples");
            assertTrue(taken.get() <= Samples.MOST * 12, () -> taken + " were taken");
            assertEquals(Duration.ZERO, list.get(0).elapsed());
            assertEquals(Duration.ofNanos(end), list.get(list.size() - 1).elapsed());
            long widest = 0;
            for (int i = 1; i < list.size(); i++) {
                long gap =
                        list.get(i).elapsed().minus(list.get(i - 1).elapsed()).toNanos();
                assertTrue(gap >= 0, "in order");
                widest = Math.max(widest, gap);
            }
            assertTrue(widest <= Math.max(5 * tick, 5 * end / Samples.MOST), widest + " of " + end);
        }
    }

    @Test
    void lateSampleIsLeftOut() {
        Samples samples = new Samples(START);
        samples.add(sample(0));
        samples.add(sample(10));
        samples.add(sample(5));
        assertEquals(List.of(sample(0), sample(10)), samples.toList());
    }
}
