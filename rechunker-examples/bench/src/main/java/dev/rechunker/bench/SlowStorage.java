package dev.rechunker.bench;

import dev.rechunker.resource.ByteSize;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A storage to be simulated.
 *
 * @param bytesPerSecond the bytes per second that all requests have together
 * @param latencyMillis the milliseconds that every request takes in addition
 */
public record SlowStorage(double bytesPerSecond, long latencyMillis) {
    private static final Pattern TEXT = Pattern.compile("(.+)/s,(\\d{1,5})ms");

    /**
     * {@return a storage}
     *
     * @param text such as {@code 40MB/s,50ms}
     * @throws IllegalArgumentException if the text has another form
     */
    public static SlowStorage parse(String text) {
        Matcher parts = TEXT.matcher(text.replace(" ", ""));
        if (!parts.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no rate and latency; write 40MB/s,50ms");
        }
        return new SlowStorage(ByteSize.parse(parts.group(1)).bytes(), Long.parseLong(parts.group(2)));
    }

    /** {@return the least seconds to read this many bytes} */
    public double seconds(long bytes) {
        return bytes / bytesPerSecond + latencyMillis / 1e3;
    }

    @Override
    public String toString() {
        return ByteSize.of((long) bytesPerSecond) + "/s, " + latencyMillis + " ms";
    }
}
