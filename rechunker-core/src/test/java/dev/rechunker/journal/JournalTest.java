package dev.rechunker.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded tasks are read back up to the first damage of a journal; directories have one owner. */
class JournalTest {
    private static final int TASKS = 12;
    private static final int RECORD = 24;

    @TempDir
    Path temporary;

    private Path file() {
        return temporary.resolve("journal");
    }

    private byte[] written() throws IOException {
        try (Journal journal = Journal.create(file(), "a header\nof two lines", false)) {
            for (int i = 0; i < TASKS; i++) {
                journal.array(0).recordTask(i % 2, i);
            }
        }
        return Files.readAllBytes(file());
    }

    /** {@return the number of first tasks that the journal has, and no others; -1 if it cannot be read} */
    private int known() throws IOException {
        Optional<Journal> open = Journal.open(file(), false);
        if (open.isEmpty()) {
            return -1;
        }
        try (Journal journal = open.get()) {
            assertEquals("a header\nof two lines", journal.header());
            int known = 0;
            while (journal.array(0).doneBefore(known % 2).contains(known)) {
                known++;
            }
            for (int i = known; i < TASKS; i++) {
                assertFalse(journal.array(0).doneBefore(i % 2).contains(i));
            }
            return known;
        }
    }

    @Test
    void journalIsReadUpToTruncation() throws IOException {
        byte[] whole = written();
        int header = whole.length - TASKS * RECORD;
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertEquals(length < header ? -1 : (length - header) / RECORD, known(), "cut off at " + length);
        }
    }

    @Test
    void journalIsReadUpToDamage() throws IOException {
        byte[] whole = written();
        int header = whole.length - TASKS * RECORD;
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) 0x10;
            Files.write(file(), damaged);
            assertEquals(at < header ? -1 : (at - header) / RECORD, known(), "damaged at " + at);
        }
    }

    @Test
    void incompleteRecordIsOverwritten() throws IOException {
        byte[] whole = written();
        Files.write(file(), Arrays.copyOf(whole, whole.length - 1));
        try (Journal journal = Journal.open(file(), true).orElseThrow()) {
            journal.array(0).recordTask((TASKS - 1) % 2, TASKS - 1);
        }
        assertEquals(TASKS, known());
        assertEquals(whole.length, Files.size(file()));
    }

    @Test
    void arraysAreBegunAndCommitted() throws IOException {
        try (Journal journal = Journal.create(file(), "", false)) {
            journal.array(3).recordBegun(0);
            assertFalse(journal.isWorthKeeping());
            journal.array(3).recordCorrupt(7);
            journal.array(3).recordTask(0, 1);
            assertTrue(journal.isWorthKeeping());
            journal.array(4).recordBegun(0);
            journal.array(3).recordCommitted();
        }
        try (Journal journal = Journal.open(file(), false).orElseThrow()) {
            assertTrue(journal.isBegun(3) && journal.isBegun(4) && !journal.isBegun(0));
            assertTrue(journal.isCommitted(3) && !journal.isCommitted(4));
            assertEquals(List.of(7L), journal.array(3).corruptBefore());
            assertFalse(journal.array(3).doneBefore(0).contains(1), "tasks of a committed array are not kept");
            assertTrue(journal.isWorthKeeping());
        }
    }

    @Test
    void rangesAgreeWithSet() {
        Random random = new Random(5);
        TaskRanges ranges = new TaskRanges(TaskRanges.MOST);
        TreeSet<Long> set = new TreeSet<>();
        for (int i = 0; i < 300; i++) {
            long task = random.nextInt(400);
            ranges.add(task);
            set.add(task);
        }
        for (int i = 0; i < 500; i++) {
            long from = random.nextInt(400);
            long to = from + random.nextInt(100);
            TreeSet<Long> missing = new TreeSet<>();
            for (long task = from; task < to; task++) {
                assertEquals(set.contains(task), ranges.contains(task));
                if (!set.contains(task)) {
                    missing.add(task);
                }
            }
            TreeSet<Long> told = new TreeSet<>();
            for (TaskRanges.Span span : ranges.missing(from, to)) {
                assertTrue(span.count() > 0);
                for (long task = span.from(); task < span.to(); task++) {
                    assertTrue(told.add(task));
                }
            }
            assertEquals(missing, told);
            assertEquals(missing.size() == to - from, ranges.hasNone(from, to));
        }
    }

    @Test
    void numberOfRangesIsLimited() {
        TaskRanges ranges = new TaskRanges(TaskRanges.MOST);
        for (long i = 0; i < 2L * TaskRanges.MOST; i++) {
            ranges.add(3 * i);
        }
        assertTrue(ranges.contains(3L * (TaskRanges.MOST - 1)));
        assertFalse(ranges.contains(3L * TaskRanges.MOST));
        ranges.add(1);
        assertTrue(ranges.contains(1), "a task next to a range does not make a new range");
        ranges.add(5);
        assertTrue(ranges.contains(5), "nor does one before a range");
    }

    @Test
    void directoryHasOneOwnerAndLeavesNothing() throws IOException {
        Path place = temporary.resolve("a").resolve("b");
        try (RunDirectory first = RunDirectory.lock(place).orElseThrow()) {
            for (int i = 0; i < 3; i++) {
                assertTrue(RunDirectory.lock(place).isEmpty());
            }
            assertEquals("process " + ProcessHandle.current().pid(), RunDirectory.describeUser(place));
            assertFalse(first.hasJournal());
            first.createJournal("header", true).close();
            assertTrue(first.hasJournal());
        }
        assertTrue(Files.exists(place.resolve("journal")));
        try (RunDirectory second = RunDirectory.lock(place).orElseThrow()) {
            assertEquals("header", second.journal(false).orElseThrow().header());
            second.deleteJournal();
        }
        assertFalse(Files.exists(place));
        assertTrue(Files.exists(temporary.resolve("a")), "existing directories are kept");
    }

    @Test
    void tasksExcludeRunsButNotEachOther() throws IOException {
        Path place = temporary.resolve("run");
        try (RunDirectory owner = RunDirectory.lock(place).orElseThrow()) {
            assertTrue(RunDirectory.join(owner.path()).isEmpty());
        }
        Files.createDirectories(place);
        Files.createFile(place.resolve("tasks-1.0-of-ended"));
        try (RunDirectory one = RunDirectory.join(place).orElseThrow()) {
            assertTrue(one.exists());
            RunDirectory.join(place).orElseThrow().close();
            assertTrue(RunDirectory.lock(place).isEmpty());
            assertEquals("process " + ProcessHandle.current().pid(), RunDirectory.describeUser(place));
        }
        RunDirectory.lock(place).orElseThrow().close();
        assertFalse(Files.exists(place.resolve("tasks-1.0-of-ended")));
    }

    @Test
    void locksOfEndedProcessesAreIgnored() throws IOException {
        Files.createFile(temporary.resolve("lock-1.0-of-ended"));
        RunDirectory.lock(temporary).orElseThrow().close();
        assertFalse(Files.exists(temporary.resolve("lock-1.0-of-ended")));
    }

    @Test
    void aDirectoryIsInUseAsLongAsItsOwnerHasIt() throws IOException {
        Path place = temporary.resolve("used");
        assertFalse(RunDirectory.isInUse(place));
        try (RunDirectory owner = RunDirectory.lock(place).orElseThrow()) {
            assertTrue(RunDirectory.isInUse(owner.path()));
            assertTrue(RunDirectory.read(place).isEmpty());
            owner.createJournal("header", false).close();
            assertEquals("header", RunDirectory.read(place).orElseThrow().header());
        }
        assertFalse(RunDirectory.isInUse(place), "only a journal is left");
        try (RunDirectory joined = RunDirectory.join(place).orElseThrow()) {
            assertTrue(RunDirectory.isInUse(joined.path()));
        }
        Files.createFile(place.resolve("tasks-1.0-of-ended"));
        assertFalse(RunDirectory.isInUse(place), "the process has ended");
    }

    @Test
    void onlyFinishedWorkIsWorthKeeping() throws IOException {
        for (int work = 0; work < 4; work++) {
            try (Journal journal = Journal.create(file(), "header", false)) {
                assertTrue(journal.isEmpty());
                switch (work) {
                    case 0 -> journal.array(2).recordBegun(0);
                    case 1 -> journal.array(2).recordCorrupt(5);
                    case 2 -> journal.array(2).recordTask(1, 7);
                    default -> journal.array(2).recordCommitted();
                }
                assertEquals(work > 1, journal.isWorthKeeping());
                assertFalse(journal.isEmpty());
            }
            try (Journal again = Journal.open(file(), false).orElseThrow()) {
                assertEquals(work > 1, again.isWorthKeeping());
                assertFalse(again.isEmpty());
            }
        }
    }

    @Test
    void noTaskIsRecordedIfTheGuardRefuses() throws IOException {
        try (Journal journal = Journal.create(file(), "header", false)) {
            journal.array(0).recordTask(0, 1);
            journal.array(0).setGuard(() -> {
                throw new IOException("the target is gone");
            });
            assertThrows(IOException.class, () -> journal.array(0).recordTask(0, 2));
        }
        try (Journal again = Journal.open(file(), false).orElseThrow()) {
            assertEquals(List.of(span(2, 3)), again.array(0).doneBefore(0).missing(1, 3));
        }
    }

    /** A later version may add kinds of records. What follows one of these is not read, and done again. */
    @Test
    void nothingIsReadAfterARecordOfAnUnknownKind() throws IOException {
        long end = written().length;
        try (RecordFile records = new RecordFile(file(), RECORD, end)) {
            int task = 1;
            for (int kind : new int[] {99, task}) {
                records.append(ByteBuffer.allocate(RECORD - Integer.BYTES)
                        .putInt(kind)
                        .putInt(0)
                        .putInt(0)
                        .putLong(TASKS)
                        .flip());
            }
        }
        assertEquals(TASKS, known());
        assertEquals(end, Files.size(file()), "the next record takes its place");
    }

    @Test
    void spansThatTouchOrOverlapAreJoined() {
        assertEquals(List.of(), TaskRanges.Span.join(List.of()));
        assertEquals(
                List.of(span(0, 9), span(10, 12), span(13, 20)),
                TaskRanges.Span.join(
                        List.of(span(0, 5), span(5, 9), span(10, 12), span(13, 20), span(14, 15), span(16, 20))));
        assertEquals(7, span(13, 20).count());
    }

    @Test
    void anEmptySetMissesAllTasks() {
        TaskRanges ranges = new TaskRanges(TaskRanges.MOST);
        assertTrue(ranges.isEmpty());
        assertEquals(List.of(span(3, 8)), ranges.missing(3, 8));
        assertEquals(List.of(), ranges.missing(3, 3));
        ranges.add(5);
        assertFalse(ranges.isEmpty());
        assertEquals(List.of(span(3, 5), span(6, 8)), ranges.missing(3, 8));
    }

    private static TaskRanges.Span span(long from, long to) {
        return new TaskRanges.Span(from, to);
    }
}
