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
 * Shows people how far a run has come: the part that is done, the rate, the time left, and the memory held against the
 * bound. On a terminal that is a bar, written over again and again; elsewhere a line every five seconds.
 */
public final class ConsoleProgress implements ProgressListener {
    private static final int BAR = 20;
    /** A line that is wider than the terminal could not be written over. */
    private static final int COLUMNS = 79;

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintWriter out;
    private final boolean terminal;
    private int width;
    private @Nullable Progress unsaid;
    private Duration nextLine = BETWEEN_LINES;

    private ConsoleProgress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** {@return a progress on standard error: a bar if that is a terminal, else lines} */
    public static ConsoleProgress bar() {
        return of(new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8)), isTerminal());
    }

    /** {@return a progress on a writer: a bar if a line can be written over there, else lines} */
    public static ConsoleProgress of(PrintWriter out, boolean terminal) {
        return new ConsoleProgress(out, terminal);
    }

    /** {@return whether this JVM runs in a terminal; later JDKs have a console that is none, and a method to ask it} */
    @SuppressWarnings("SystemConsoleNull")
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
        unsaid = progress;
        if (terminal) {
            String line = cut(bar(progress.fraction()) + " " + figures(progress));
            out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            width = line.length();
        } else if (progress.elapsed().compareTo(nextLine) >= 0) {
            out.println(figures(progress));
            unsaid = null;
            nextLine = progress.elapsed().plus(BETWEEN_LINES);
        }
        out.flush();
        if (progress.ended()) {
            end();
        }
    }

    /** Ends the bar's line, or prints the last figures, of a run that did not come to its end; else does nothing. */
    public void end() {
        Progress last = unsaid;
        if (last != null) {
            out.println(terminal ? "" : figures(last));
            out.flush();
        }
        unsaid = null;
        width = 0;
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
                clock(progress.remaining()),
                ByteSize.of(progress.memoryHeld()),
                ByteSize.of(progress.maxMem()),
                progress.stage(),
                progress.array().isEmpty() ? "" : " " + progress.array());
    }

    private static String clock(Duration time) {
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", time.toMinutesPart(), time.toSecondsPart());
    }
}
