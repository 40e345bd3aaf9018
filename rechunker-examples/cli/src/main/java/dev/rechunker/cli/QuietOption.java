package dev.rechunker.cli;

import dev.rechunker.run.ConsoleProgress;
import java.io.PrintWriter;
import java.io.Writer;

/** The option {@code --quiet}, and the progress that it leaves out. */
final class QuietOption {
    private final Command command;
    private final Arg<Boolean> quiet;
    private final boolean terminal;

    /**
     * Adds the option to a command.
     *
     * @param terminal whether progress goes to a terminal
     */
    QuietOption(Command command, boolean terminal) {
        this.command = command;
        this.terminal = terminal;
        quiet = command.flag("--quiet", "Print only warnings, errors, and what other options ask for.");
    }

    boolean isGiven() {
        return quiet.isGiven();
    }

    /** {@return progress on standard error, or nowhere} */
    ConsoleProgress progress() {
        return ConsoleProgress.of(isGiven() ? new PrintWriter(Writer.nullWriter()) : command.unescapedErr(), terminal);
    }
}
