package dev.rechunker.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals of several processes in one directory. */
class SharedJournalTest {
    @TempDir
    Path temporary;

    private Path directory() {
        return temporary.resolve("run");
    }

    private SharedJournal join(String run) throws IOException {
        return SharedJournal.join(directory(), run, false);
    }

    private Path only() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            List<Path> all = files.toList();
            assertEquals(1, all.size());
            return all.get(0);
        }
    }

    @Test
    void joiningProcessSeesTasksOfOthers() throws IOException {
        try (SharedJournal first = join("run")) {
            first.array(1).recordTask(0, 7);
            try (SharedJournal second = join("run");
                    SharedJournal stranger = join("other run")) {
                assertTrue(second.array(1).doneBefore(0).contains(7));
                assertFalse(stranger.array(1).doneBefore(0).contains(7));
                second.array(1).recordTask(0, 8);
            }
            assertFalse(first.array(1).doneBefore(0).contains(8), "journals of others are read once");
        }
        try (SharedJournal third = join("run")) {
            assertEquals(
                    List.of(new TaskRanges.Span(0, 7), new TaskRanges.Span(9, 10)),
                    third.array(1).doneBefore(0).missing(0, 10));
        }
    }

    /** An empty journal is removed when its process ends, possibly while another process reads it. */
    @Test
    void otherProcessesMayEndWhileJoining() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> comingAndGoing = CompletableFuture.runAsync(() -> {
            while (!ended.get()) {
                try {
                    join("run").close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        try {
            for (int i = 0; i < 1000; i++) {
                join("run").close();
            }
        } finally {
            ended.set(true);
        }
        comingAndGoing.get();
    }

    @Test
    void readingDoesNotTruncateJournalsOfOthers() throws IOException {
        try (SharedJournal journal = join("run")) {
            journal.array(0).recordTask(0, 3);
        }
        Path file = only();
        Files.write(file, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        byte[] before = Files.readAllBytes(file);
        try (SharedJournal other = join("run")) {
            assertTrue(other.array(0).doneBefore(0).contains(3));
        }
        assertArrayEquals(before, Files.readAllBytes(only()), "an empty journal is removed, so one file is left");
    }

    @Test
    void scatteredTasksAreAllKept() throws IOException {
        for (int half = 0; half < 2; half++) {
            try (SharedJournal journal = join("run")) {
                for (long task = half; task < 20_000; task += 4) {
                    journal.array(0).recordTask(0, task);
                }
            }
        }
        try (SharedJournal all = join("run")) {
            assertEquals(5_000, all.array(0).doneBefore(0).missing(0, 20_000).size());
        }
    }

    @Test
    void deletedJournalsAreGone() throws IOException {
        try (SharedJournal journal = join("run")) {
            journal.array(0).recordTask(0, 3);
        }
        SharedJournal.deleteAll(directory());
        assertFalse(Files.exists(directory()));
        SharedJournal.deleteAll(directory());
    }

    @Test
    void chunksThatAnotherProcessCouldNotDecodeAreKnown() throws IOException {
        try (SharedJournal one = join("run")) {
            one.array(0).recordCorrupt(41);
        }
        try (SharedJournal other = join("run")) {
            assertEquals(List.of(41L), other.array(0).corruptBefore());
        }
    }
}
