package dev.rechunker.suggest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.geometry.Partition;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AxisReadsTest {
    /** {@return what reads need, by looking at every position at which one can begin} */
    private static AxisReads counted(Partition axis, long length) {
        double parts = 0;
        double elements = 0;
        long begins = axis.length() - length + 1;
        for (long begin = 0; begin < begins; begin++) {
            for (long part = axis.indexOf(begin); part <= axis.indexOf(begin + length - 1); part++) {
                parts++;
                elements += axis.size(part);
            }
        }
        return new AxisReads(parts / begins, elements / begins);
    }

    private static void check(Partition axis, long length) {
        AxisReads expected = counted(axis, length);
        AxisReads actual = AxisReads.of(axis, length);
        String what = axis + ", reads of " + length;
        assertEquals(expected.parts(), actual.parts(), 1e-9 * expected.parts(), what);
        assertEquals(expected.elements(), actual.elements(), 1e-9 * expected.elements(), what);
    }

    @Test
    void regularAxesAreAsCounted() {
        for (long extent = 1; extent <= 24; extent++) {
            for (long step = 1; step <= extent + 2; step++) {
                for (long length = 1; length <= extent; length++) {
                    check(Partition.regular(extent, step), length);
                }
            }
        }
    }

    @Test
    void randomAxesAreAsCounted() {
        Random random = new Random(52);
        for (int run = 0; run < 2000; run++) {
            long[] sizes = LongStream.generate(() -> 1 + random.nextInt(9))
                    .limit(1 + random.nextInt(12))
                    .toArray();
            Partition axis = random.nextBoolean()
                    ? Partition.ofSizes(sizes)
                    : Partition.regular(1 + random.nextInt(300), 1 + random.nextInt(40));
            check(axis, 1 + random.nextLong(axis.length()));
        }
    }

    @Test
    void hugeAxesHaveTheSumsOfSmallOnes() {
        Partition axis = Partition.regular(4_000_000_000_000L, 1000);
        assertEquals(1, AxisReads.of(axis, 1).parts(), 1e-9);
        assertEquals(1000, AxisReads.of(axis, 1).elements(), 1e-6);
        assertEquals(4e9, AxisReads.of(axis, 4_000_000_000_000L).parts(), 1);
        assertEquals(1 + 99 / 1000.0, AxisReads.of(axis, 100).parts(), 1e-6);
    }

    @Test
    void anEmptyAxisNeedsNothing() {
        assertEquals(new AxisReads(0, 0), AxisReads.of(Partition.regular(0, 5), 1));
    }
}
