package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.run.TaskRange;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks are divided evenly, however fragmented they are. */
class SlicesTest {
    @Test
    void everyTaskIsInOneSlice() {
        Cases.check(500, cases -> {
            List<TaskRange> tasks = new ArrayList<>();
            long end = 0;
            long all = 0;
            for (long i = cases.between(0, 20); i > 0; i--) {
                long from = end + cases.between(1, 5);
                end = from + cases.between(1, 30);
                tasks.add(new TaskRange(from, end));
                all += end - from;
            }
            int most = (int) cases.between(1, 40);
            List<TaskRange> slices = Slices.of(tasks, most);
            assertEquals(Math.min(most, all), slices.size());
            long before = -1;
            long found = 0;
            for (TaskRange slice : slices) {
                assertTrue(slice.from() > before, slices::toString);
                before = slice.to() - 1;
                long of = tasks.stream()
                        .mapToLong(range ->
                                Math.max(0, Math.min(range.to(), slice.to()) - Math.max(range.from(), slice.from())))
                        .sum();
                assertTrue(of == all / most || of == (all + most - 1) / most || all < most, slices::toString);
                found += of;
            }
            assertEquals(all, found);
        });
        assertThrows(IllegalArgumentException.class, () -> Slices.of(List.of(), 0));
    }
}
