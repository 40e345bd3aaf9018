package dev.rechunker.store;

import dev.rechunker.resource.ByteSize;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What would help after a failure. The text names methods of this library; a front end that knows the name of the
 * advice may use a text of its own.
 *
 * @param name the name of the advice, such as {@code resume}
 * @param text the advice as a part of a sentence
 * @param values the values in the text, such as a number of bytes; often empty
 */
public record Advice(String name, String text, List<String> values) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Write to another place. */
    public static final Advice ELSEWHERE = of("elsewhere", "write elsewhere");

    /** Let what exists be replaced. */
    public static final Advice OVERWRITE = of("overwrite", "allow it to be replaced with overwrite()");

    /** Resume an unfinished run. */
    public static final Advice RESUME = of("resume", "resume it with resume()");

    /** Start an unfinished run again from its beginning. */
    public static final Advice RESTART = of("restart", "start again with overwrite()");

    /** Do not resume. */
    public static final Advice NO_RESUME = of("no-resume", "leave out resume()");

    /** Do not require durable writes. */
    public static final Advice NO_DURABLE = of("no-durable", "leave out durable()");

    /** Wait for another run. */
    public static final Advice WAIT = of("wait", "wait until it has ended");

    /** Write temporary files to another place. */
    public static final Advice SPILL_ELSEWHERE = of("spill", "name another place for temporary files with spill(...)");

    /** Write no temporary files. */
    public static final Advice NO_SPILL = of("no-spill", "copy without temporary files with noSpill()");

    /** Copy to a new place rather than into arrays that exist. */
    public static final Advice NEW_TARGET = of("new-target", "copy to a new place with to(...)");

    /** Copies the values. */
    public Advice {
        values = List.copyOf(values);
    }

    /** {@return advice with these values} */
    public static Advice of(String name, String text, Object... values) {
        List<String> texts = new ArrayList<>();
        for (Object value : values) {
            texts.add(String.valueOf(value));
        }
        return new Advice(name, text, texts);
    }

    /**
     * {@return the advice to raise the memory limit}
     *
     * @param bytes the smallest memory limit that works
     */
    public static Advice leastMemory(long bytes) {
        return of(
                "max-mem", "the least possible maxMem is " + ByteSize.of(bytes).roundedUp(), bytes);
    }

    /**
     * {@return the advice to raise the memory limit}
     *
     * @param bytes the smallest memory limit that works
     * @param useful the smallest memory limit with which the source is read at most twice, in bytes; at least
     *     {@code bytes}
     */
    public static Advice leastMemory(long bytes, long useful) {
        String least = leastMemory(bytes).text();
        return bytes >= useful
                ? leastMemory(bytes)
                : of(
                        "max-mem",
                        least + ", and from " + ByteSize.of(useful).roundedUp()
                                + " on each byte of the source is read at most twice",
                        bytes,
                        useful);
    }

    /** {@return the advice of a failure or, if it has none, of the first of its causes that has some; may be empty} */
    public static List<Advice> of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Advised advised && !advised.advice().isEmpty()) {
                return advised.advice();
            }
        }
        return List.of();
    }

    /** {@return a message of what is wrong and what would help} */
    public static String message(String problem, List<Advice> advice) {
        return problem + join("; ", advice.stream().map(Advice::text).toList());
    }

    /** {@return alternatives as the end of a sentence: {@code ; one, two, or three}; empty if there are none} */
    public static String join(String before, List<String> parts) {
        if (parts.size() < 2) {
            return parts.isEmpty() ? "" : before + parts.get(0);
        }
        int last = parts.size() - 1;
        return before + String.join(", ", parts.subList(0, last)) + ", or " + parts.get(last);
    }
}
