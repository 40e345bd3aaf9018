package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.job.ChunkText;
import dev.rechunker.job.PathPattern;
import dev.rechunker.resource.ByteSize;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses the chunks of an array. Most rules are written as text, one entry per axis or one for all, separated by
 * commas:
 *
 * <table>
 *   <caption>Entries</caption>
 *   <tr><th>entry</th><th>extent</th></tr>
 *   <tr><td>{@code 72}</td><td>so many elements</td></tr>
 *   <tr><td>{@code -1}</td><td>the whole axis</td></tr>
 *   <tr><td>{@code keep}</td><td>as in the source</td></tr>
 *   <tr><td>{@code 100MB}</td><td>chosen so that a chunk takes about, and at most, 100 MB with the other axes as given, or one
 *       element where these take more already; all axes with a size name the same one</td></tr>
 *   <tr><td>{@code auto}</td><td>{@code 16MiB}</td></tr>
 * </table>
 *
 * <p>Entries stand in the order of the axes ({@code "8901, 72, 72"}), or name them ({@code "time=-1, lat=72, lon=72"});
 * {@code ...=72} is for all axes not named, which keep their chunks otherwise.
 */
@FunctionalInterface
public interface ChunkRule {
    /**
     * {@return the chunks of an array, positive extents in C order, or empty if this rule is not for it}
     *
     * @param path where the array is, {@code ""} for the root
     * @param source what it is now
     * @throws IllegalArgumentException if the rule does not fit the array
     */
    Optional<Shape> chunks(String path, ArraySpec source);

    /** {@return the rule of these extents; -1 is the whole axis} */
    static ChunkRule of(long... extents) {
        return ChunkText.of(extents)::chunks;
    }

    /**
     * {@return the rule that a text states}
     *
     * @throws IllegalArgumentException if the text is not of the form above
     */
    static ChunkRule parse(String text) {
        return ChunkText.parse("chunks", text)::chunks;
    }

    /**
     * {@return the rule for arrays of this name, or at this path}
     *
     * <p>A pattern without a slash is for arrays of that name wherever they are, one with a slash for a whole path,
     * before which a slash may stand. {@code *} stands for any part of a name, {@code **} for any part of a path:
     * <code>*&#47;0</code> is the array 0 of every group at the root, <code>**&#47;temperature</code> the same as
     * {@code temperature}.
     *
     * @param pattern names the arrays
     * @param text their chunks, in the form above
     */
    static ChunkRule named(String pattern, String text) {
        ChunkRule rule = parse(text);
        Predicate<String> fits = PathPattern.parse(pattern);
        return (path, source) -> fits.test(path) ? rule.chunks(path, source) : Optional.empty();
    }

    /** {@return the rule that keeps the source's chunks} */
    static ChunkRule keep() {
        return (path, source) -> Optional.of(source.chunks().chunkShape());
    }

    /** {@return this rule, and another one for the arrays that this one is not for} */
    default ChunkRule orElse(ChunkRule other) {
        return (path, source) -> chunks(path, source).or(() -> other.chunks(path, source));
    }

    /** {@return this rule; arrays that it is not for keep their chunks} */
    default ChunkRule orElseKeep() {
        return orElse(keep());
    }

    /** {@return {@code auto}'s size} */
    static ByteSize autoSize() {
        return ChunkText.AUTO_SIZE;
    }
}
