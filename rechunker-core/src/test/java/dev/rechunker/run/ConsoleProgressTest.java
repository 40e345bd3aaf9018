package dev.rechunker.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The progress of a run on the console. */
class ConsoleProgressTest {
    private final StringWriter seen = new StringWriter();

    private static Progress progress(String array, int seconds, long moved, boolean ended) {
        return Progress.builder()
                .array(array)
                .stage("merge")
                .tasksDone(1)
                .tasks(10)
                .bytesMoved(moved)
                .bytesToMove(1000_000_000)
                .elapsed(Duration.ofSeconds(seconds))
                .bytesPerSecond(100e6)
                .remaining(Duration.ofSeconds(ended ? 0 : 3725))
                .memoryHeld(182_000_000)
                .maxMem(256_000_000)
                .ended(ended)
                .build();
    }

    private ConsoleProgress progress(boolean terminal) {
        return ConsoleProgress.of(new PrintWriter(seen), terminal);
    }

    /** {@return a line that a narrow terminal does not wrap, and that leaves nothing of the one before} */
    private static String drawn(String line) {
        return "\r\u001b[?7l" + line + "\u001b[K\u001b[?7h";
    }

    @Test
    void barIsRedrawnOnTerminal() {
        ConsoleProgress progress = progress(true);
        progress.onProgress(progress("", 1, 420_000_000, false));
        progress.onProgress(progress("", 2, 1000_000_000, true));
        progress.end();
        String figures = "100 MB/s  1 h 2 min left  182 MB of 256 MB  merge";
        String first = "[####......]  42 %  " + figures;
        String last = "[##########] 100 %  " + figures.replace("1 h 2 min", "0 s");
        assertEquals(drawn(first) + drawn(last) + System.lineSeparator(), seen.toString());
    }

    @Test
    void barIsBounded() {
        ConsoleProgress progress = progress(true);
        progress.onProgress(progress("some/array/".repeat(20), 1, 420_000_000, false));
        progress.end();
        String line =
                seen.toString().replaceAll("\u001b\\[\\?7[lh]|\u001b\\[K", "").strip();
        assertEquals(119, line.length());
        assertTrue(line.endsWith("…"), seen::toString);
    }

    @Test
    void linesArePrintedPeriodicallyWithoutTerminal() {
        ConsoleProgress progress = progress(false);
        for (int second = 1; second <= 11; second++) {
            progress.onProgress(progress("ssh", second, second * 10_000_000L, false));
        }
        progress.onProgress(progress("ssh", 12, 1000_000_000, true));
        progress.end();
        List<String> lines = seen.toString().lines().toList();
        assertEquals(3, lines.size(), seen::toString);
        assertEquals("  5 %  100 MB/s  1 h 2 min left  182 MB of 256 MB  merge ssh", lines.get(0));
        assertTrue(lines.get(1).startsWith(" 10 %"), seen::toString);
        assertEquals("100 %  100 MB/s  0 s left  182 MB of 256 MB  merge ssh", lines.get(2));
    }

    @Test
    void arrayOfAGroupIsNumberedAndFitsUsualTerminals() {
        ConsoleProgress progress = progress(false);
        progress.onProgress(Progress.builder()
                .array("sla")
                .stage("merge")
                .arrayNumber(3)
                .arrays(13)
                .bytesMoved(1)
                .bytesToMove(3)
                .bytesPerSecond(512e6)
                .elapsed(Duration.ofSeconds(6))
                .remaining(Duration.ofSeconds(3599))
                .memoryHeld(182_000_000)
                .maxMem(256_000_000)
                .build());
        String line = " 33 %  512 MB/s  59 min 59 s left  182 MB of 256 MB  merge 3/13 sla";
        assertEquals(line + System.lineSeparator(), seen.toString());
        assertTrue(line.length() + "[##########] ".length() <= 80);
    }

    @Test
    void failedRunIsEndedExplicitly() {
        ConsoleProgress progress = progress(true);
        progress.end();
        progress.onProgress(progress("", 1, 420_000_000, false));
        progress.end();
        progress.end();
        assertTrue(seen.toString().endsWith("merge\u001b[K\u001b[?7h" + System.lineSeparator()), seen::toString);
    }

    @Test
    void namesCannotCommandTheTerminal() {
        ConsoleProgress progress = progress(false);
        progress.onProgress(progress("a\u001b[2Jb\u202ec\n", 6, 1000_000_000, true));
        assertTrue(seen.toString().endsWith("merge a?[2Jb?c?" + System.lineSeparator()), seen::toString);
    }
}
