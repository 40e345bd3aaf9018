package dev.rechunker.io.bytes;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a value that a response over HTTP contains.
 *
 * @param start the position in the value of the first byte
 * @param end the position in the value after the last byte
 * @param size the size of the value
 */
public record ContentRange(long start, long end, long size) {
    private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    /** {@return the range that the header {@code Content-Range} describes; empty if it has no size, or another form} */
    static Optional<ContentRange> parse(String header) {
        Matcher form = FORM.matcher(header);
        return form.matches()
                ? Optional.of(new ContentRange(
                        Long.parseLong(form.group(1)),
                        Long.parseLong(form.group(2)) + 1,
                        Long.parseLong(form.group(3))))
                : Optional.empty();
    }

    /**
     * {@return the range of a response by its headers; empty if they do not say the size of the value}
     *
     * @param range the header {@code Content-Range}; the response is the whole value if it is missing
     * @param length the header {@code Content-Length}
     */
    public static Optional<ContentRange> of(@Nullable String range, @Nullable Long length) {
        return parse(String.valueOf(range))
                .or(() -> Optional.ofNullable(length).map(size -> new ContentRange(0, size, size)));
    }
}
