package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the format of a store requires of arrays and groups that come from other formats. A store that has rules returns
 * them from {@link ChunkStore#rules()}.
 *
 * <p>Every method has a default that requires nothing. None of them writes anything.
 */
public interface FormatRules {
    /** No rules: everything is kept as it is. */
    FormatRules NONE = new FormatRules() {};

    /**
     * {@return what is to be copied when a node of another store is copied to this one: that node, or a view of it that
     * follows the rules that the format has for a whole hierarchy}
     *
     * <p>A view reads from the store of the node, which stays open while the view is used. The view is only read, and
     * not closed.
     *
     * @throws StoreException if no such hierarchy can be made of the node, saying why
     * @throws IllegalArgumentException if the settings of this store do not fit the node
     */
    default StoreLocation arrange(StoreLocation source) throws IOException {
        return source;
    }

    /**
     * {@return whether an array is copied with its coordinates, as a group, although {@link #arrange} returns a view of
     * it} By default it is so only if {@code arrange} returns the array itself.
     */
    default boolean takesCoordinates() {
        return false;
    }

    /**
     * Refuses a path that no node of this store can have.
     *
     * <p>Looks only at the names in the path. A node with such a name in a group that is copied is left out, and listed
     * as a loss.
     *
     * @throws StoreException if a name in the path is not possible, saying which
     */
    default void requireName(String path) throws StoreException {}

    /**
     * {@return how this format expresses an array of another format: for instance, codecs that it does not have are
     * replaced by its usual ones}
     *
     * <p>The result is then passed to {@link ChunkStore#resolve}. Adopting never changes data, nor what the format can
     * express. What the format cannot express is missing from the result, or left for {@code resolve} to refuse.
     *
     * @param foreign the spec of an array of any format, in the chunks and shards that are wanted
     */
    default ArraySpec adopt(ArraySpec foreign) {
        return foreign;
    }

    /**
     * {@return what {@link ChunkStore#writeGroup} would store of a group: the same, but for what the format cannot
     * express}
     *
     * @param path of the group
     * @param arrays the arrays directly in the group by name, as {@link ChunkStore#resolve} returned them; a format may
     *     keep with the group what it cannot express for each of them
     * @throws StoreException if the format cannot hold it there, naming which attribute
     */
    default GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        return group;
    }

    /**
     * {@return a sentence for each part of the arrays in a group that the format changes because they are in one group}
     *
     * @param path of the group
     * @param group the group as {@link #resolveGroup} returned it
     * @param arrays the arrays directly in the group by name, as {@link ChunkStore#resolve} returned them
     */
    default List<String> changesInGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays)
            throws IOException {
        return List.of();
    }

    /**
     * {@return what this format knows of an array or group of another format that levels of a pyramid can be made of;
     * empty if it knows nothing of it}
     *
     * <p>Without knowledge of the format, axes of space are known by their names, and groups with levels by the names
     * and shapes of their arrays.
     *
     * @throws IOException if the node cannot be read
     */
    default Optional<Image> image(StoreLocation node) throws IOException {
        return Optional.empty();
    }

    /** {@return the name of the array that is a level of a pyramid, of which the one with all elements has number 0} */
    default String levelName(int level) {
        return Integer.toString(level);
    }

    /**
     * An array of which levels can be made, or a group that has levels already.
     *
     * @param levels the arrays that are levels, by their paths below the node, the largest first; one empty path if the
     *     node is an array
     * @param axes the axes
     * @param labels whether elements are labels, which have no mean
     */
    record Image(List<String> levels, List<Axis> axes, boolean labels) {
        /** Copies the lists. */
        public Image {
            levels = List.copyOf(levels);
            axes = List.copyOf(axes);
        }
    }

    /**
     * An axis of an image.
     *
     * @param space whether it is an axis of space
     * @param spacing the distance of two elements, in a unit that the axes of space have in common
     */
    record Axis(boolean space, double spacing) {}
}
