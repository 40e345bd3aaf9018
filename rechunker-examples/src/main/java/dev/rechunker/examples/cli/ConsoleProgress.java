package dev.rechunker.examples.cli;

import dev.rechunker.exec.Progress;
import dev.rechunker.exec.ProgressListener;
import dev.rechunker.memory.ByteSize;
import java.io.Console;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** Shows how far a run has come: a bar that moves on a terminal, else a line now and then. */
public final class ConsoleProgress implements ProgressListener {
    private static final int BAR = 30;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintWriter out;
    private final boolean terminal;
    private final ByteSize maxMem;
    private int width;
    private String last = "";
    private Duration nextLine = BETWEEN_LINES;

    /**
     * Creates it.
     *
     * @param out where to
     * @param terminal whether a line can be written over
     * @param maxMem the bound, which memory is shown against
     */
    public ConsoleProgress(PrintWriter out, boolean terminal, ByteSize maxMem) {
        this.out = out;
        this.terminal = terminal;
        this.maxMem = maxMem;
    }

    /** {@return a progress on standard error} */
    public static ConsoleProgress onStandardError(ByteSize maxMem) {
        PrintWriter out = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8));
        return new ConsoleProgress(out, isTerminal(), maxMem);
    }

    /** {@return whether this runs in a terminal; later JDKs have a console that is none, and a method to ask it} */
    @SuppressWarnings("SystemConsoleNull")
    static boolean isTerminal() {
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
        last = figures(progress);
        if (terminal) {
            String line = bar(progress.fraction()) + " " + last;
            out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            width = line.length();
        } else if (progress.elapsed().compareTo(nextLine) >= 0) {
            out.println(last);
            last = "";
            nextLine = progress.elapsed().plus(BETWEEN_LINES);
        }
        out.flush();
    }

    /** Ends the bar's line, or prints the last figures. */
    public void end() {
        if (!last.isEmpty()) {
            out.println(terminal ? "" : last);
            out.flush();
            last = "";
        }
    }

    private static String bar(double fraction) {
        int full = (int) (fraction * BAR);
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]";
    }

    private String figures(Progress progress) {
        return String.format(
                Locale.ROOT,
                "%3.0f %%  %s/s  %s left  memory %s of %s  %s%s",
                Math.floor(progress.fraction() * 100),
                ByteSize.of((long) Math.max(0, progress.bytesPerSecond())),
                clock(progress.remaining()),
                ByteSize.of(progress.memoryHeld()),
                maxMem,
                progress.stage(),
                progress.array().isEmpty() ? "" : " " + progress.array());
    }

    private static String clock(Duration time) {
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", time.toMinutesPart(), time.toSecondsPart());
    }
}
