package dev.rechunker.view;

import dev.rechunker.array.DataType;

/**
 * The lengths of the elements of an array of variable length.
 *
 * @param longest the length of the longest element, in bytes
 * @param ofChunk the most bytes of the elements of a chunk and their lengths, without compression;
 *     {@link Long#MAX_VALUE} if it is not known
 */
public record ElementLengths(int longest, long ofChunk) {
    /** Checks that the lengths are possible. */
    public ElementLengths {
        if (longest < 0 || longest > DataType.LONGEST || ofChunk < 0) {
            throw new IllegalArgumentException("elements of up to " + longest + " bytes, in chunks of " + ofChunk);
        }
    }

    /** {@return lengths of which only the longest element is known} */
    public static ElementLengths upTo(int longest) {
        return new ElementLengths(longest, Long.MAX_VALUE);
    }

    /** {@return the same with at least this longest element} */
    ElementLengths withLongest(int least) {
        return new ElementLengths(Math.max(longest, least), ofChunk);
    }
}
