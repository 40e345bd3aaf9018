package dev.rechunker.job;

import dev.rechunker.resource.ByteSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One entry of a {@link ChunkText}. */
public sealed interface ChunkEntry {
    /** A number of elements. */
    record Extent(long elements) implements ChunkEntry {}

    /** The whole axis. */
    record Whole() implements ChunkEntry {}

    /** The extent that chunks of the source have. */
    record Keep() implements ChunkEntry {}

    /** Chunks of these sizes, one after the other. */
    record Sizes(List<Run> runs) implements ChunkEntry {
        public Sizes {
            runs = List.copyOf(runs);
        }
    }

    /** A number of chunks of the same size. */
    record Run(long size, long count) {}

    /** The cuts of the source, at whatever places. */
    record KeepEach() implements ChunkEntry {}

    /** The extent that gives chunks this size. */
    record Sized(ByteSize size) implements ChunkEntry {}

    /** {@return the entry that a text states} */
    static ChunkEntry parse(String text) {
        String entry = text.trim().toLowerCase(Locale.ROOT);
        if (entry.equals("keep")) {
            return new Keep();
        }
        if (entry.startsWith("[")) {
            return list(entry);
        }
        if (entry.equals("auto")) {
            return new Sized(ChunkText.AUTO_SIZE);
        }
        if (entry.equals("-1")) {
            return new Whole();
        }
        if (entry.matches("-?\\d+")) {
            return new Extent(elements(entry));
        }
        if (entry.matches("[\\d.]+\\s*[kmgtp]?i?b")) {
            return new Sized(ByteSize.parse(text.trim()));
        }
        throw new IllegalArgumentException("\"" + text.trim()
                + "\" is not a chunk extent; write a number, -1 for the whole axis, keep, auto, a size like 100MB, or a list like"
                + " [31,28,31x2]");
    }

    private static long elements(String entry) {
        long elements;
        try {
            elements = Long.parseLong(entry);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a chunk extent of " + entry + " exceeds 2^63", e);
        }
        if (elements <= 0) {
            throw new IllegalArgumentException("a chunk extent of " + entry
                    + " is not possible; write a positive number, -1 for the whole axis, or keep");
        }
        return elements;
    }

    /** {@return the entry that a list in brackets states} */
    private static ChunkEntry list(String entry) {
        String inside =
                entry.endsWith("]") ? entry.substring(1, entry.length() - 1).trim() : "";
        if (inside.equals("keep")) {
            return new KeepEach();
        }
        List<Run> runs = new ArrayList<>();
        for (String part : inside.split(",", -1)) {
            String[] run = part.trim().split("\\s*x\\s*", -1);
            if (run.length > 2 || !Arrays.stream(run).allMatch(number -> number.matches("-?\\d+"))) {
                throw new IllegalArgumentException("\"" + entry + "\" is not a list of chunks; write their sizes, where"
                        + " 31x2 is 31 two times, such as [31,28,31x2], or [keep] for those of the source");
            }
            runs.add(new Run(elements(run[0]), run.length == 1 ? 1 : elements(run[1])));
        }
        return new Sizes(runs);
    }
}
