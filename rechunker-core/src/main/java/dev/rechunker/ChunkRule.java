package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.hierarchy.PathPattern;
import dev.rechunker.job.ChunkText;
import dev.rechunker.resource.ByteSize;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the chunks of an array of the target. Most rules are written as text, with entries for the axes, separated by
 * commas:
 *
 * <table>
 *   <caption>Entries</caption>
 *   <tr><th>entry</th><th>extent</th></tr>
 *   <tr><td>{@code 72}</td><td>72 elements</td></tr>
 *   <tr><td>{@code -1}</td><td>the whole axis</td></tr>
 *   <tr><td>{@code keep}</td><td>as in the source</td></tr>
 *   <tr><td>{@code 100MB}</td><td>as many elements as possible such that a chunk takes at most 100 MB, but at least one
 *       element. All axes with a size must have the same size</td></tr>
 *   <tr><td>{@code auto}</td><td>the same as {@code 16MiB}</td></tr>
 *   <tr><td>{@code [31,28,31x2]}</td><td>irregular: chunks of 31, 28, 31 and 31 elements, which must cover the axis</td></tr>
 *   <tr><td>{@code [keep]}</td><td>a cut wherever the source has one, as in a concatenation of irregular parts</td></tr>
 * </table>
 *
 * <p>An array whose chunks are stored irregular keeps all of them with {@code keep}, too, if the target's format
 * supports that.
 *
 * <p>Entries are in the order of the axes ({@code "8901, 72, 72"}) or name them ({@code "time=-1, lat=72, lon=72"}).
 * The entry {@code ...=72} applies to all axes that are not named; without it, these keep the source's chunks. An axis
 * that is shorter is in one chunk, unless it is unlimited. A single entry that is not a number applies to all axes
 * ({@code "auto"}).
 *
 * <p>{@code "suggested:time=-1; lat=-1, lon=-1 @0.5"} stands for the chunks that {@link Suggestion} finds for these
 * ways of reading, on a local disk; {@code "suggested:object-store:time=-1"} on another place. Of a group, each array
 * has the ways whose axes it has, and keeps its chunks if there is none.
 *
 * <p>For a group, names apply to the arrays that have such an axis; other arrays keep their chunks. Coordinates, which
 * are arrays with one axis and its name, come in one chunk of at most 16 MiB, unless the text names their axis or is
 * {@code keep}, or a rule names the array.
 */
@FunctionalInterface
public interface ChunkRule {
    /**
     * {@return the chunks of an array, or empty if this rule does not apply to it}
     *
     * <p>{@link ChunkGrid#regular} makes the usual chunks, all of one shape. A grid with other partitions cuts an axis
     * at any places, if the target's format supports that.
     *
     * @param path the path of the array below the source, {@code ""} if it is itself the source
     * @param source the description of the array in the source
     * @throws IllegalArgumentException if the rule does not fit the array
     */
    Optional<ChunkGrid> chunks(String path, ArraySpec source);

    /**
     * {@return the names of axes that this rule states, and that none of the arrays has to which it applies}
     *
     * <p>A copy is refused if there are any, as they may be misspelt.
     *
     * @param arrays the descriptions of all arrays of the copy, by path
     */
    default Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        return Set.of();
    }

    /** {@return the rule for chunks of these extents, one for each axis; -1 is the whole axis} */
    static ChunkRule of(long... extents) {
        return new TextRule(ChunkText.of(extents));
    }

    /**
     * {@return the rule that a text states}
     *
     * @throws IllegalArgumentException if the text is not of the form above
     */
    static ChunkRule parse(String text) {
        return SuggestedRule.isMeant(text) ? SuggestedRule.parse(text) : new TextRule(ChunkText.parse("chunks", text));
    }

    /**
     * {@return the rule for arrays of this name, or at this path}
     *
     * <p>A pattern without a slash is the name of arrays, in any group; a pattern with a slash is a whole path, with or
     * without a slash at its beginning. {@code *} stands for any part of a name, {@code **} for any part of a path:
     * <code>*&#47;0</code> is the array {@code 0} of every group at the root, and <code>**&#47;temperature</code> is
     * the same as {@code temperature}.
     *
     * @param pattern the name or path of the arrays
     * @param text their chunks, in the form above
     */
    static ChunkRule named(String pattern, String text) {
        return new NamedRule(PathPattern.parse(pattern), ChunkText.parse("chunks", text));
    }

    /** {@return the rule that keeps the source's chunks} */
    static ChunkRule keep() {
        return parse("keep");
    }

    /** {@return a rule that uses another rule for arrays to which this one does not apply} */
    default ChunkRule orElse(ChunkRule other) {
        return new FirstRule(this, other);
    }

    /** {@return a rule that keeps the chunks of arrays to which this one does not apply} */
    default ChunkRule orElseKeep() {
        return orElse(keep());
    }

    /** {@return the size of chunks that {@code auto} stands for} */
    static ByteSize autoSize() {
        return ChunkText.AUTO_SIZE;
    }
}
