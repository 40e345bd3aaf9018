package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.Partition;
import dev.rechunker.testing.Cases;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class AxisChoicesTest {
    private static final long ALL = 1_024;

    /** {@return for every number of groups, the least number of parts per group} */
    private static Set<Long> leastOfEach(long parts, long multiple) {
        Set<Long> least = new HashSet<>();
        long before = -1;
        for (long count = multiple; before != 1; count += multiple) {
            long groups = (parts + count - 1) / count;
            if (groups != before) {
                least.add(Math.min(parts, count));
            }
            before = groups;
        }
        return least;
    }

    /** Also halves and thirds of axes that can be divided by two or three. */
    @Test
    void smallestPartsOfEveryNumberOfGroupsAreTried() {
        Cases.check(200, cases -> {
            long length = cases.oneOf(2_000L, 3 * ALL, 65_536L, cases.between(ALL + 1, 200_000));
            long step = cases.between(1, 9);
            Partition parts = Partition.regular(length * step, step);
            SortedSet<Long> counts = AxisChoices.counts(parts, Partition.regular(length * step, 7 * step), ALL);
            assertTrue(counts.containsAll(leastOfEach(length, 1)), () -> length + ": " + counts);
            assertTrue(counts.containsAll(leastOfEach(length, 7)), () -> length + " by 7: " + counts);
        });
    }
}
