package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container of arrays that are stored in chunks: a hierarchy of groups with arrays, or one array at its root.
 *
 * <p>A path names a node: {@code ""} is the root, {@code "a/b"} a node below it. A path has no leading or trailing
 * slash, and no empty, {@code "."} or {@code ".."} part; every method refuses other texts with
 * {@link IllegalArgumentException}. All methods may be called from any thread.
 *
 * <p>A store declares in {@link #capabilities()} what it can do, and refuses everything else with
 * {@link UnsupportedOperationException}. It refuses what it does not understand (a codec, a type, an extension) by name
 * with {@link StoreException}, and never guesses.
 *
 * <p>The methods without a default are what every store implements; the others have defaults that are right for a local
 * store of one array. Further abilities are interfaces of their own, and a store that has one returns it:
 *
 * <table>
 * <caption>optional interfaces</caption>
 * <tr><th>method</th><th>ability</th></tr>
 * <tr><td>{@link #rules()}</td><td>adapts arrays and groups that come from other formats</td></tr>
 * <tr><td>{@link #updatable()}</td><td>changes arrays that exist</td></tr>
 * <tr><td>{@link #resumable()}</td><td>resumes arrays that an interrupted run began</td></tr>
 * <tr><td>{@link #joinable()}</td><td>lets several processes write one array</td></tr>
 * <tr><td>{@link #durable()}</td><td>makes writes survive a loss of power</td></tr>
 * <tr><td>{@link #variableLength()}</td><td>reads arrays whose elements have different lengths</td></tr>
 * </table>
 *
 * <p>Always call these methods, and never use {@code instanceof}: a class may implement an interface although only some
 * of its instances have the ability. A store that wraps another extends {@link ForwardingStore}.
 */
public interface ChunkStore extends Closeable {
    /** {@return where the store is, for messages: {@code /data/ssh.zarr}} */
    String name();

    /**
     * {@return a text that is equal for two stores exactly if they are the same place, so that a copy does not
     * overwrite its own source}
     */
    String identity();

    /** {@return what the store can do; constant} */
    Capabilities capabilities();

    // ---- reading -------------------------------------------------------------------------------------------------

    /**
     * {@return the node at a path, or empty if there is none}
     *
     * @throws StoreException if there is a node that cannot be understood
     */
    Optional<Node> node(String path) throws IOException;

    /**
     * {@return the names of the nodes directly below a group, in the order in which they were created if the store
     * knows it, and else sorted; empty for an array}
     *
     * <p>A hierarchical store overrides this.
     */
    default List<String> children(String path) throws IOException {
        requirePath(path);
        if (capabilities().hierarchical()) {
            throw new UnsupportedOperationException(name() + " is hierarchical, but does not list its nodes");
        }
        return List.of();
    }

    /**
     * {@return a reader of the array at a path}
     *
     * @throws StoreException if there is no array there
     */
    ArrayReader openReader(String path) throws IOException;

    /**
     * {@return a sentence for each part of the stored metadata of a node that {@link #node} cannot express, such as
     * {@code the attribute "owner" is a reference, and is left out}}
     */
    default List<String> omissions(String path) throws IOException {
        return List.of();
    }

    /**
     * {@return a sentence for each part of a node's storage that {@link #node} cannot express and that says nothing of
     * its contents, such as {@code the user block of 512 bytes is left out}}
     */
    default List<String> layoutOmissions(String path) throws IOException {
        return List.of();
    }

    // ---- writing -------------------------------------------------------------------------------------------------

    /**
     * {@return the spec of the array that {@link #create} would store for this spec: the same, except for what the
     * format expresses differently}
     *
     * <p>Writes nothing.
     *
     * @throws UnsupportedArrayException if the format has no elements of this type or no such arrays at all; the
     *     message names the type
     * @throws StoreException if the format cannot express such an array; the message names what it cannot express
     */
    ArraySpec resolve(ArraySpec wanted) throws StoreException;

    /**
     * {@return how a writer of this array will write, and the memory that it will need}
     *
     * <p>Writes nothing.
     *
     * @param resolved what {@link #resolve} returned
     */
    WriteTraits writeTraits(ArraySpec resolved) throws StoreException;

    /**
     * {@return how a reader of this array will read once it is written, or empty if that is not known in advance}
     *
     * @param resolved what {@link #resolve} returned, or what {@link #node} says of an array that exists
     */
    default Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return Optional.empty();
    }

    /**
     * {@return whether it is certain that nothing exists at a path or below it, except for files of a run in progress}
     * If so, a copy need not ask for each of its nodes.
     *
     * <p>A store in which such questions take long, such as a remote one, overrides this. False if the store cannot
     * tell with a few requests.
     */
    default boolean isVacant(String path) throws IOException {
        ChunkStore.requirePath(path);
        return false;
    }

    /**
     * Refuses an array that {@link #create} would refuse because of what exists in the store. A copy calls this method
     * for all of its arrays before it creates the first one.
     *
     * <p>Writes nothing. A store that cannot know this in advance leaves it to {@code create}.
     *
     * @param resolved what {@link #resolve} returned
     * @throws StoreException if something exists that must not be replaced
     */
    default void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {}

    /**
     * Announces all that a copy will write to this store, before it creates the first array, to a store of a format in
     * which the places of arrays depend on one another. It may be called again, and what it announces may not happen.
     *
     * <p>Writes nothing.
     *
     * @param groups the groups by path, as {@link #writeGroup} will take them
     * @param arrays the arrays by path in the order in which they are created, as {@link #resolve} returned them
     */
    default void announce(Map<String, GroupSpec> groups, Map<String, ArraySpec> arrays) throws IOException {}

    /**
     * {@return a writer of a new array}
     *
     * <p>The array exists for readers when {@link ArrayWriter#commit()} returns, not before. Parents that did not exist
     * are groups then.
     *
     * @param path the path of the array
     * @param spec what {@link #resolve} returned
     * @param overwrite whether an existing array is removed first
     * @throws StoreException if something exists there that may not be overwritten: an array without {@code overwrite},
     *     a group always; or if a parent is an array
     */
    ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException;

    /**
     * Creates the group at a path, or replaces its attributes and dimensions; parents that do not exist become groups.
     *
     * <p>A hierarchical store overrides this.
     *
     * @param overwrite whether the group belongs to a copy that may replace what exists; only a store that cannot add
     *     to what exists, such as a file that is written as a whole, needs to know
     * @throws StoreException if there is an array at the path or at a parent
     */
    default void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        requirePath(path);
        throw new UnsupportedOperationException(name() + " holds one array, at its root, and no group");
    }

    /** Creates the group at a path with attributes only, for a copy that may not replace what exists. */
    default void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes) throws IOException {
        writeGroup(path, GroupSpec.of(attributes), false);
    }

    /**
     * Notes that an array exists which another process committed before it was killed, so that {@link #finish} updates
     * what depends on it, too.
     */
    default void noteCommitted(String path) throws IOException {}

    /**
     * Updates everything that depends on the hierarchy as a whole, such as consolidated metadata (one document with the
     * metadata of all nodes). Called once, after all arrays are committed and all groups written.
     *
     * @param consolidate whether the root, if it is a group, is to have consolidated metadata; those of groups that had
     *     them already are updated in any case
     */
    default void finish(boolean consolidate) throws IOException {}

    /**
     * {@return a store that reads what an earlier store has finished at this place, which the caller closes; empty if
     * there is nothing, or if this store reads it itself}
     */
    default Optional<ChunkStore> openFinished() throws IOException {
        return Optional.empty();
    }

    // ---- where it is ---------------------------------------------------------------------------------------------

    /**
     * {@return the places of the data of a node and of everything below it; a copy whose target overlaps its source is
     * refused}
     *
     * <p>A store that is a view of other stores returns their places. A store in files returns the places of its files
     * and directories, which must not depend on the format, as stores of two formats may share a directory.
     */
    default List<DataPlace> places(String path) throws IOException {
        return List.of(DataPlace.of(identity()).below(path));
    }

    /** {@return a directory on the device that the store is on, for temporary files; empty if there is none} */
    default Optional<Path> localDirectory() {
        return Optional.empty();
    }

    /**
     * {@return the description from which another process can open this store; empty if that is not possible, as for a
     * store in memory or one that only one process can write}
     */
    default Optional<StoreDescriptor> descriptor() {
        return Optional.empty();
    }

    // ---- optional interfaces -------------------------------------------------------------------------------------

    /** {@return what the store's format requires of arrays and groups that come from other formats} */
    default FormatRules rules() {
        return FormatRules.NONE;
    }

    /** {@return the ability to change arrays that exist, if the store has it} */
    default Optional<Updatable> updatable() {
        return Optional.empty();
    }

    /** {@return the ability to resume arrays that an interrupted run began, if the store has it} */
    default Optional<Resumable> resumable() {
        return Optional.empty();
    }

    /** {@return the ability to let several processes write one array, if the store has it} */
    default Optional<Joinable> joinable() {
        return Optional.empty();
    }

    /** {@return the ability to make writes survive a loss of power, if the store has it} */
    default Optional<Durable> durable() {
        return Optional.empty();
    }

    /** {@return the ability to read elements of variable length, if the store has it} */
    default Optional<VariableLength> variableLength() {
        return Optional.empty();
    }

    // ---- paths and nodes -----------------------------------------------------------------------------------------

    /**
     * Checks that a text has the form of a path.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void requirePath(String path) {
        for (String part : path.split("/", -1)) {
            if (part.equals(".") || part.equals("..") || (part.isEmpty() && !path.isEmpty())) {
                throw new IllegalArgumentException("\"" + path + "\" is not a path inside a store");
            }
        }
    }

    /** {@return the node at a path of this store, as a source or target of a copy} */
    default StoreLocation at(String path) {
        return new StoreLocation(this, path);
    }

    /** Closes the store. A store that holds nothing open has nothing to do. */
    @Override
    default void close() throws IOException {}

    /**
     * The ability of a store to read arrays whose elements have different lengths. {@link #node} and
     * {@link #openReader(String)} give them a type that is not {@linkplain dev.rechunker.array.DataType#isMeasured()
     * measured}: it is enough to describe them, and to read their lengths.
     */
    interface VariableLength {
        /**
         * {@return a reader of only the lengths of the elements of an array} Its type is not measured, and its elements
         * are the {@value dev.rechunker.array.DataType#LENGTH_SIZE} bytes of a length. If the array has several fill
         * values, as a joined one does, its fill value is the longest.
         *
         * @param most the most bytes of the elements of a chunk and their lengths, without compression; a chunk that
         *     has more ends a read with {@link StoreException}
         * @throws StoreException if there is no such array
         */
        ArrayReader openLengths(String path, long most) throws IOException;

        /**
         * {@return a reader of an array whose spec has a measured type} A longer element ends a read with
         * {@link StoreException}.
         *
         * @param longest the length of the longest element, in bytes
         * @param most as in {@link #openLengths}; {@link Long#MAX_VALUE} if it is not known. A reader needs memory for
         *     it, and may need less than if all elements of a chunk were the longest
         * @throws StoreException if there is no such array
         */
        ArrayReader openReader(String path, int longest, long most) throws IOException;
    }

    /** An array or group at a path. */
    sealed interface Node {}

    /** An array. */
    record ArrayNode(ArraySpec spec) implements Node {}

    /**
     * A group.
     *
     * @param spec attributes and dimensions
     * @param consolidated whether this group holds consolidated metadata
     */
    record GroupNode(GroupSpec spec, boolean consolidated) implements Node {
        /** {@return the user's attributes} */
        public Map<String, @Nullable Object> attributes() {
            return spec.attributes();
        }
    }
}
