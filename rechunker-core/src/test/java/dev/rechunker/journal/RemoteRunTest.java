package dev.rechunker.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.RunValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteRunTest {
    private static final Duration PATIENCE = Duration.ofMillis(400);

    private final Values values = new Values();

    /** Values in memory, which can fail. */
    private static final class Values implements RunValues {
        private final Map<String, byte[]> all = new ConcurrentSkipListMap<>();
        private volatile boolean failing;

        @Override
        public String name() {
            return "values";
        }

        @Override
        public Optional<byte[]> get(String name) throws IOException {
            return Optional.ofNullable(all.get(name));
        }

        @Override
        public void put(String name, byte[] value) throws IOException {
            if (failing) {
                throw new IOException("failing");
            }
            all.put(name, value);
        }

        @Override
        public boolean putNew(String name, byte[] value) {
            return all.putIfAbsent(name, value) == null;
        }

        @Override
        public void delete(String prefix) {
            all.keySet().removeIf(name -> name.startsWith(prefix + "/"));
        }

        @Override
        public void deleteAll() {
            all.clear();
        }

        private void setOwner(long number, String process) {
            all.put("process/" + number + "/owner", process.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private RemoteRun take() throws Exception {
        return RemoteRun.take(values, PATIENCE).orElseThrow();
    }

    private static void record(Journal journal, int from, int to) throws IOException {
        for (int task = from; task < to; task++) {
            journal.array(0).recordTask(task % 2, task / 2);
        }
    }

    @Test
    void aPlaceIsUsedByOneRunAndEmptyAfterwards() throws Exception {
        try (RemoteRun run = take()) {
            assertFalse(run.hasJournal());
            assertEquals(Optional.empty(), RemoteRun.take(values, PATIENCE));
            assertTrue(RemoteRun.isInUse(values));
            Journal journal = run.createJournal("header", false);
            record(journal, 0, 10);
            journal.close();
            assertTrue(run.exists());
            run.deleteJournal();
        }
        assertEquals(Map.of(), values.all);
        assertFalse(RemoteRun.isInUse(values));
    }

    @Test
    void aPlaceWithoutAJournalIsEmptyAfterwards() throws Exception {
        take().close();
        assertEquals(Map.of(), values.all);
    }

    /** More than one value is stored, and each process copies the journal of the one before. */
    @Test
    void recordsAreContinued() throws Exception {
        int tasks = 8000;
        try (RemoteRun run = take();
                Journal journal = run.createJournal("one", false)) {
            journal.array(0).recordBegun(17);
            record(journal, 0, tasks);
        }
        assertEquals(
                3,
                values.all.keySet().stream()
                        .filter(name -> name.startsWith("journal/1/"))
                        .count());
        try (RemoteRun run = take()) {
            assertEquals("one", run.journal(false).orElseThrow().header());
            try (Journal journal = run.continueJournal("a longer one", (array, stage) -> stage == 1)) {
                assertEquals(17, journal.creation(0));
                assertTrue(journal.isBegun(0));
                assertTrue(journal.array(0).doneBefore(0).isEmpty());
                assertTrue(journal.array(0).doneBefore(1).missing(0, tasks / 2).isEmpty());
                record(journal, tasks, tasks + 2);
            }
        }
        assertEquals(
                0,
                values.all.keySet().stream()
                        .filter(name -> name.startsWith("journal/1/"))
                        .count());
        Journal read = RemoteRun.read(values).orElseThrow();
        assertEquals("a longer one", read.header());
        assertTrue(read.array(0).doneBefore(1).missing(0, tasks / 2 + 1).isEmpty());
        assertFalse(read.array(0).doneBefore(0).contains(0));
        assertTrue(read.array(0).doneBefore(0).contains(tasks / 2));
    }

    /** A process that was killed before it had stored its journal leaves that of the process before. */
    @Test
    void theLastReadableJournalCounts() throws Exception {
        try (RemoteRun run = take();
                Journal journal = run.createJournal("one", false)) {
            record(journal, 0, 4);
        }
        values.setOwner(2, "another-system 1.1");
        values.all.put("journal/2/0", new byte[] {'R', 'E'});
        try (RemoteRun run = take()) {
            assertEquals("one", run.journal(false).orElseThrow().header());
            assertTrue(values.all.containsKey("process/3/owner"));
        }
    }

    @Test
    void processesOfOtherSystemsAreAliveIfTheySign() throws Exception {
        values.setOwner(1, "another-system 1.1");
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < 8; i++) {
                    values.all.put("process/1/sign", new byte[] {(byte) i});
                    TimeUnit.MILLISECONDS.sleep(100);
                }
            } catch (InterruptedException e) {
                return;
            }
        });
        other.start();
        assertEquals(Optional.empty(), RemoteRun.take(values, PATIENCE));
        other.join();
        take().close();
    }

    @Test
    void endedProcessesOfThisSystemAreNotWaitedFor() throws Exception {
        values.setOwner(1, Processes.system() + " 1.17");
        RemoteRun.take(values).orElseThrow().close();
    }

    /** What fails to be stored is stored later, at the end at the latest. */
    @Test
    void failuresAreRepeated() throws Exception {
        try (RemoteRun run = take();
                Journal journal = run.createJournal("one", false)) {
            values.failing = true;
            record(journal, 0, 4);
            TimeUnit.MILLISECONDS.sleep(2500);
            assertTrue(RemoteRun.read(values).orElseThrow().isEmpty());
            values.failing = false;
            while (RemoteRun.read(values).orElseThrow().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** A process that was taken for dead deletes nothing. */
    @Test
    void aPlaceThatWasTakenIsLeftAlone() throws Exception {
        try (RemoteRun run = take()) {
            run.createJournal("one", false).close();
            values.setOwner(2, "another-system 1.1");
            assertFalse(run.exists());
            assertTrue(run.isLost());
            run.deleteJournal();
        }
        assertTrue(values.all.containsKey("journal/1/0"));
    }
}
