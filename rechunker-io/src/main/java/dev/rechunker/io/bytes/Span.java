package dev.rechunker.io.bytes;

/**
 * A run of bytes in a value.
 *
 * @param from where it starts; -1 if it is the last bytes
 * @param length how many they are; fewer if the value ends before
 */
public record Span(long from, long length) {
    /** All of a value. */
    public static final Span ALL = new Span(0, Long.MAX_VALUE);

    /** Checks the numbers. */
    public Span {
        if (from < -1 || length < 1) {
            throw new IllegalArgumentException(length + " bytes from " + from + " are no span");
        }
    }

    /** {@return the last bytes of a value} */
    public static Span last(long length) {
        return new Span(-1, length);
    }

    /** {@return the span as HTTP's {@code Range} header has it: {@code bytes=0-99}, {@code bytes=-20}} */
    public String header() {
        if (from < 0) {
            return "bytes=-" + length;
        }
        return "bytes=" + from + "-" + (length > Long.MAX_VALUE - from ? "" : from + length - 1);
    }
}
