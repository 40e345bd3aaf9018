package dev.rechunker.io.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.run.Report;
import dev.rechunker.run.TaskRange;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Invocations of 15 minutes on a clock of the test. */
class TimedTasksTest {
    private static final long MINUTES_15 = 900_000;

    private long now;

    private TimedTasks tasks(List<Long> done, LongUnaryOperator millis) {
        now = 0;
        return new TimedTasks(() -> MINUTES_15 - now, (from, to) -> {
            for (long task = from; task < to; task++) {
                now += millis.applyAsLong(task);
                done.add(task);
            }
            return Report.builder().tasks(to - from).measuredMemory(from).build();
        });
    }

    @Test
    void tasksAreTakenWhileThereIsTime() throws Exception {
        List<Long> done = new ArrayList<>();
        TimedTasks slow = tasks(done, task -> 100_000);
        assertEquals(92, slow.run(List.of(new TaskRange(0, 50), new TaskRange(60, 110))));
        assertEquals(8, done.size(), "800 s, and 90 s are not enough for another one");
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L), done);
        assertEquals(8, slow.tasks());

        List<Long> all = new ArrayList<>();
        assertEquals(0, tasks(all, task -> 10).run(List.of(new TaskRange(0, 50), new TaskRange(60, 110))));
        assertEquals(100, all.size());
        assertEquals(0, tasks(all, task -> 10).run(List.of()));
    }

    /** A first task is tried even if it may take longer than the invocation, as another invocation has no more time. */
    @Test
    void theFirstTaskIsAlwaysTried() throws Exception {
        List<Long> done = new ArrayList<>();
        assertEquals(1, tasks(done, task -> 890_000).run(List.of(new TaskRange(0, 2))));
        assertEquals(List.of(0L), done);
    }

    @Test
    void invocationsEndInTime() {
        Cases.check(200, cases -> {
            long typical = cases.between(1, 200_000);
            List<Long> done = new ArrayList<>();
            TimedTasks tasks = tasks(done, task -> typical + (task * 7919 % 50) * typical / 100);
            long left = tasks.run(List.of(new TaskRange(0, 100_000)));
            assertTrue(now <= MINUTES_15 - TimedTasks.RESERVE, now + " ms of tasks of " + typical + " ms");
            assertEquals(100_000, left + done.size());
            assertTrue(
                    left == 0 || now > MINUTES_15 - TimedTasks.RESERVE - 2 * typical * 3 / 2 - 45_000,
                    now + " " + typical);
        });
    }
}
