package dev.rechunker.run;

import dev.rechunker.resource.ByteSize;
import java.io.Console;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A listener that prints the progress of a run: the part that is done, the rate, the time left, and the memory in use
 * out of the memory limit. On a terminal it prints a bar, which it overwrites; elsewhere a line every five seconds.
 */
public final class ConsoleProgress implements ProgressListener {
    private static final int BAR = 10;
    /** The longest line; a terminal that is narrower cuts it. */
    private static final int COLUMNS = 119;

    /**
     * Before and after a line on a terminal: a terminal that was made narrower cuts the line, instead of going on in
     * the next one, which could not be overwritten; and clears what is after it.
     */
    private static final String BEFORE_LINE = "\r\u001b[?7l";

    private static final String AFTER_LINE = "\u001b[K\u001b[?7h";

    /** Characters that a terminal obeys, or that change the order of others. */
    private static final String UNPRINTABLE = "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\x{E0000}-\\x{E007F}]";

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintWriter out;
    private final boolean terminal;
    private @Nullable Progress unprinted;
    private Duration nextLine = BETWEEN_LINES;

    private ConsoleProgress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** {@return a listener that prints to standard error: a bar if that is a terminal, otherwise lines} */
    public static ConsoleProgress bar() {
        return of(new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8)), isTerminal());
    }

    /**
     * {@return a listener that prints to a writer}
     *
     * @param terminal true to print a bar, for a writer on which a line can be overwritten; false to print lines
     */
    public static ConsoleProgress of(PrintWriter out, boolean terminal) {
        return new ConsoleProgress(out, terminal);
    }

    /** {@return whether this JVM runs in a terminal} */
    @SuppressWarnings("SystemConsoleNull") // since JDK 22 there is a console without a terminal, too
    public static boolean isTerminal() {
        Console console = System.console();
        if (console == null || "dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    @Override
    public void onProgress(Progress progress) {
        unprinted = progress;
        if (terminal) {
            out.print(BEFORE_LINE + cut(bar(progress.fraction()) + " " + figures(progress)) + AFTER_LINE);
        } else if (progress.elapsed().compareTo(nextLine) >= 0) {
            out.println(figures(progress));
            unprinted = null;
            nextLine = progress.elapsed().plus(BETWEEN_LINES);
        }
        out.flush();
        if (progress.ended()) {
            end();
        }
    }

    /**
     * Ends the line of the bar, or prints the last figures, of a run that has failed. Does nothing after a complete
     * run.
     */
    public void end() {
        Progress last = unprinted;
        if (last != null) {
            out.println(terminal ? "" : figures(last));
            out.flush();
        }
        unprinted = null;
        nextLine = BETWEEN_LINES;
    }

    private static String cut(String line) {
        return line.length() <= COLUMNS ? line : line.substring(0, COLUMNS - 1) + "…";
    }

    private static String bar(double fraction) {
        int full = (int) (fraction * BAR);
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]";
    }

    private static String figures(Progress progress) {
        return String.format(
                Locale.ROOT,
                "%3.0f %%  %s/s  %s left  %s of %s  %s%s",
                Math.floor(progress.fraction() * 100),
                ByteSize.of((long) Math.max(0, progress.bytesPerSecond())),
                inWords(progress.remaining()),
                ByteSize.of(progress.memoryHeld()),
                ByteSize.of(progress.maxMem()),
                progress.stage(),
                array(progress));
    }

    /** {@return the array, and which of all arrays it is; the number first, as a long name may be cut} */
    private static String array(Progress progress) {
        String name = progress.array().isEmpty() ? "" : " " + progress.array().replaceAll(UNPRINTABLE, "?");
        return progress.arrays() > 1 ? " " + progress.arrayNumber() + "/" + progress.arrays() + name : name;
    }

    private static String inWords(Duration time) {
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() > 0
                        ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                        : time.toSeconds() + " s";
    }
}
