package dev.rechunker.job;

import dev.rechunker.resource.ByteSize;
import java.util.Locale;

/** One entry of a {@link ChunkText}. */
public sealed interface ChunkEntry {
    /** A number of elements. */
    record Extent(long elements) implements ChunkEntry {}

    /** The whole axis. */
    record Whole() implements ChunkEntry {}

    /** The extent that chunks of the source have. */
    record Keep() implements ChunkEntry {}

    /** The extent that gives chunks this size. */
    record Sized(ByteSize size) implements ChunkEntry {}

    /** {@return the entry that a text states} */
    static ChunkEntry parse(String text) {
        String entry = text.trim().toLowerCase(Locale.ROOT);
        if (entry.equals("keep")) {
            return new Keep();
        }
        if (entry.equals("auto")) {
            return new Sized(ChunkText.AUTO_SIZE);
        }
        if (entry.equals("-1")) {
            return new Whole();
        }
        if (entry.matches("-?\\d+")) {
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
            return new Extent(elements);
        }
        if (entry.matches("[\\d.]+\\s*[kmgtp]?i?b")) {
            return new Sized(ByteSize.parse(text.trim()));
        }
        throw new IllegalArgumentException("\"" + text.trim()
                + "\" is not a chunk extent; write a number, -1 for the whole axis, keep, auto, or a size like 100MB");
    }
}
