package dev.rechunker.io.bytes;

/**
 * A range of bytes in a value.
 *
 * @param from the position of the first byte; -1 for a range at the end of the value
 * @param length the number of bytes; the range is shorter if the value ends before
 */
public record Span(long from, long length) {
    /** The whole value. */
    public static final Span ALL = new Span(0, Long.MAX_VALUE);

    /** Checks the position and the length. */
    public Span {
        if (from < -1 || length < 1) {
            throw new IllegalArgumentException("not a range of bytes: " + length + " bytes from " + from);
        }
    }

    /** {@return a number of bytes at the end of a value} */
    public static Span last(long length) {
        return new Span(-1, length);
    }

    /**
     * {@return the value of HTTP's {@code Range} header for this range, such as {@code bytes=0-99} or
     * {@code bytes=-20}}
     */
    public String header() {
        if (from < 0) {
            return "bytes=-" + length;
        }
        return "bytes=" + from + "-" + (length > Long.MAX_VALUE - from ? "" : from + length - 1);
    }
}
