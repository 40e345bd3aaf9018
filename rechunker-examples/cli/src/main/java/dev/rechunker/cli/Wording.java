package dev.rechunker.cli;

import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;

/** What the library says of a failure, with the options of the command line where it names its methods. */
final class Wording {
    private static final int COLUMNS = 100;
    private static final String INDENT = "    ";

    private Wording() {}

    /** {@return the message of a failure} */
    static String of(Throwable failure) {
        if (!(failure instanceof Advised)
                && (failure instanceof InterruptedException || failure instanceof ClosedByInterruptException)) {
            return "interrupted before the end; run the same command again";
        }
        List<Advice> advice = failure instanceof Advised advised ? advised.advice() : List.of();
        return Advised.problem(failure)
                + Advice.join("; ", advice.stream().map(Wording::of).toList());
    }

    /**
     * {@return the description of a plan, with lines that a screen can hold} The first line, which names places, stays
     * as it is.
     */
    static String wrapped(String text) {
        StringBuilder wrapped = new StringBuilder();
        for (String line : text.split("\n")) {
            String rest = line;
            while (rest.length() > COLUMNS && !wrapped.isEmpty()) {
                int space = rest.lastIndexOf(' ', COLUMNS);
                if (space <= INDENT.length()) {
                    break;
                }
                wrapped.append(rest, 0, space).append('\n');
                rest = INDENT + rest.substring(space + 1);
            }
            wrapped.append(rest).append('\n');
        }
        return wrapped.toString();
    }

    /** Prints advice that is not part of a failure. */
    static void warn(PrintWriter err, List<Advice> advice) {
        advice.forEach(each -> err.println("warning: " + Printable.of(of(each))));
        err.flush();
    }

    private static String of(Advice advice) {
        return switch (advice.name()) {
            case "overwrite" -> "allow it to be replaced with --overwrite";
            case "resume" -> "resume it with --resume";
            case "restart" -> "start again with --overwrite";
            case "restart-without-resume" -> "start again with --overwrite and without --resume";
            case "run-again" -> "run the same command again, which skips tasks that are recorded as done";
            case "no-resume" -> "leave out --resume";
            case "no-durable" -> "leave out --durable";
            case "spill" -> "name another place for temporary files with --spill";
            case "shared-spill" -> "name a directory that they share, or an object store, with --spill";
            case "checksum-file" -> "if it is the right file, name it again with --checksums=FILE";
            case "no-spill" -> "copy without temporary files with --no-spill";
            case "new-target" -> "copy to a new place without --append and --into";
            case "allow-duplicates" -> "append them again with --allow-duplicates";
            case "verify" -> "compare elements with --verify";
            case "smaller-chunks" ->
                "name smaller chunks than " + value(advice)
                        + ", such as \"auto\" or \"100MB\", for it alone with --rule";
            case "keep-first" ->
                "convert them or, if the meaning is the same, use the first one's attribute with --keep-first "
                        + value(advice);
            case "fixed-text" -> "give texts the length of the longest with --text fixed";
            case "only" -> "stack the array alone with --only";
            case "axes" -> "name them with --axes z,y,x or the like";
            default -> advice.text();
        };
    }

    private static String value(Advice advice) {
        return String.join(", ", advice.values());
    }
}
