package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container of arrays in a hierarchy of groups.
 *
 * <p>Paths name nodes: {@code ""} is the root, {@code "a/b"} a node below it; no leading or trailing slash, no empty,
 * {@code "."} or {@code ".."} part; other texts are refused with {@link IllegalArgumentException}. All methods may be
 * called from any thread. What a store cannot do it says in {@link #capabilities()} and refuses with
 * {@link UnsupportedOperationException}.
 *
 * <p>What is not understood (a codec, a type, an extension) is refused by name with {@link StoreException}, never
 * guessed.
 */
public interface ChunkStore extends Closeable {
    /** {@return where it is, for messages: {@code /data/ssh.zarr}} */
    String name();

    /** {@return what it can do} */
    Capabilities capabilities();

    /**
     * {@return the node at a path, or empty if there is none}
     *
     * @throws StoreException if there is a node that cannot be understood
     */
    Optional<Node> node(String path) throws IOException;

    /** {@return the names of the nodes directly below a group, sorted; empty for an array} */
    List<String> children(String path) throws IOException;

    /**
     * {@return a reader of the array at a path}
     *
     * @throws StoreException if there is no array there
     */
    ArrayReader openReader(String path) throws IOException;

    /**
     * {@return what the node at a path says in its own format and {@link #node} does not, because it cannot be said
     * here: one sentence each, such as {@code the attribute "owner" is a reference, and is left out}}
     */
    default List<String> omissions(String path) throws IOException {
        return List.of();
    }

    /**
     * {@return what is to be copied when a node of another store is copied to this one: that node; or, from a store
     * whose format has rules for a whole hierarchy, a view of the node that follows them}
     *
     * <p>A view reads from the store of the node, which stays open while it is used. It is only read, and not closed.
     *
     * @throws StoreException if such a hierarchy cannot be made of the node, naming why
     * @throws IllegalArgumentException if what this store was told does not fit the node
     */
    default StoreLocation arrange(StoreLocation source) throws IOException {
        return source;
    }

    /**
     * Refuses what is not a path of a node.
     *
     * @throws IllegalArgumentException if it is not
     */
    static void requirePath(String path) {
        for (String part : path.split("/", -1)) {
            if (part.equals(".") || part.equals("..") || (part.isEmpty() && !path.isEmpty())) {
                throw new IllegalArgumentException("\"" + path + "\" is not a path inside a store");
            }
        }
    }

    /**
     * Refuses a path that nothing in this store can have, whatever it is.
     *
     * <p>Looks at nothing but the names in the path. What is in a group that is copied, and has such a name, is left
     * out, and that is said.
     *
     * @throws StoreException if there is such a name in it, saying which
     */
    default void requireName(String path) throws StoreException {}

    /**
     * {@return how this store would say what another store's array is: steps of encoding that it does not have are
     * replaced by those it usually takes, and the like}
     *
     * <p>What it returns is what {@link #resolve} is then asked for. Data are never changed by it, nor is what the
     * format can express; what it cannot is gone from the result, or left for {@code resolve} to refuse.
     *
     * @param foreign the spec of an array of any format, in the chunks and shards that are wanted
     */
    default ArraySpec adopt(ArraySpec foreign) {
        return foreign;
    }

    /**
     * {@return what {@link #create} would store for this spec: the spec itself, but for what the format expresses
     * otherwise}
     *
     * <p>Writes nothing.
     *
     * @throws UnsupportedArrayException if the format has no elements of this type, or no such arrays at all, naming it
     * @throws StoreException if the format cannot hold such an array, naming what it cannot hold
     */
    ArraySpec resolve(ArraySpec wanted) throws StoreException;

    /**
     * {@return what {@link #writeGroup} would store of these attributes: the same, but for what the format has no way
     * to say}
     *
     * <p>Writes nothing.
     *
     * @param path of the group
     * @throws StoreException if the format cannot hold them there, naming which
     */
    default Map<String, @Nullable Object> resolveGroup(String path, Map<String, ? extends @Nullable Object> attributes)
            throws IOException {
        return Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /**
     * {@return how a writer of this array will write, and the memory it will need}
     *
     * <p>Writes nothing.
     *
     * @param resolved what {@link #resolve} returned
     */
    WriteTraits writeTraits(ArraySpec resolved) throws StoreException;

    /**
     * {@return what identifies the encoding of this array's write units, or empty; see
     * {@link ArrayReader#encodingIdentity()}}
     *
     * @param resolved what {@link #resolve} returned
     */
    default Optional<String> encodingIdentity(ArraySpec resolved) throws StoreException {
        return Optional.empty();
    }

    /** {@return a directory on the device that the store is on, for temporary files; empty if there is none} */
    default Optional<Path> localDirectory() {
        return Optional.empty();
    }

    /**
     * Refuses what {@link #create} would refuse because of what is there, so that a copy of many arrays is refused
     * before the first of them is begun.
     *
     * <p>Writes nothing. A store that does not know before leaves it to {@code create}.
     *
     * @param resolved what {@link #resolve} returned
     * @throws StoreException if something is in the way
     */
    default void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {}

    /**
     * {@return a writer of a new array}
     *
     * <p>The array exists for readers when {@link ArrayWriter#commit()} returns, not before. Then its parents are
     * groups, if they were nothing yet.
     *
     * @param path where
     * @param spec what {@link #resolve} returned
     * @param overwrite whether an array that is there is removed first
     * @throws StoreException if something is there and may not be overwritten: an array without {@code overwrite}, a
     *     group always; or if a parent is an array
     */
    ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException;

    /**
     * {@return a writer of an array that exists}
     *
     * <p>What is not written stays. A unit that is written replaces the one that was there in one step, when it is
     * written or when the array is committed. If the array is to be longer, it is when {@link ArrayWriter#commit()}
     * returns, not before, and then in one step: readers that were opened before, or while it is written, see the array
     * as long as it was. Without a commit it stays so.
     *
     * @param path where
     * @param spec what {@link #node} says, or the same with larger extents
     * @throws StoreException if there is no array, or one that this store cannot change
     * @throws IllegalArgumentException if the spec is not that of the array with the same or larger extents
     * @throws UnsupportedOperationException if the store is not {@link Capabilities#updatable()}
     */
    default ArrayWriter update(String path, ArraySpec spec) throws IOException {
        throw new UnsupportedOperationException(name() + " cannot change arrays that exist");
    }

    /**
     * {@return how a reader of this array will read once it is written, or empty if that is not known before}
     *
     * @param resolved what {@link #resolve} returned, or what {@link #node} says of an array that exists
     */
    default Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return Optional.empty();
    }

    /**
     * {@return a directory that readers do not see, for what a copy to this node keeps until it is done; empty if
     * arrays that were begun cannot be gone on with by {@link #resume}}
     *
     * <p>It need not exist. Whoever makes it removes it.
     *
     * @throws StoreException if it would not be inside the store
     */
    default Optional<Path> workDirectory(String path) throws IOException {
        return Optional.empty();
    }

    /**
     * {@return a place beside a node for the temporary copy of processes that write it together, which readers do not
     * see; empty if there is none}
     *
     * <p>It is open as long as this store.
     */
    default Optional<SpillStore> spillStore(String path) throws IOException {
        return Optional.empty();
    }

    /**
     * Keeps other runs from writing into an array that exists, where no {@link #workDirectory} of it does: by a note
     * that stays if this process is killed.
     *
     * @return what lets them again when it is closed
     * @throws StoreException if another run is writing into it, or was killed while it did
     */
    default Closeable hold(String path) throws IOException {
        return () -> {};
    }

    /**
     * {@return a writer that goes on with an array that {@link #create} began and nobody committed, be it in another
     * process, which was killed; what was written stays}
     *
     * @param spec what {@link #resolve} returned
     * @throws StoreException if no such array is under way there, or one of another spec
     * @throws UnsupportedOperationException if there is no {@link #workDirectory}
     */
    default ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        throw new UnsupportedOperationException(name() + " cannot go on with an array that was begun");
    }

    /**
     * {@return a writer of units of an array that {@link #create} began and nobody committed, beside others of the same
     * array in other processes}
     *
     * <p>Whatever is there stays; a unit that is written twice is the one or the other. Only the last writer is
     * committed, when all others have ended: that makes the array exist, and removes what processes that were killed
     * have left of units.
     *
     * @param spec what {@link #resolve} returned
     * @throws StoreException if no such array is under way there, or one of another spec
     * @throws UnsupportedOperationException if one process writes an array as a whole
     */
    default ArrayWriter join(String path, ArraySpec spec) throws IOException {
        throw new UnsupportedOperationException(name() + " is written by one process");
    }

    /**
     * {@return what another process opens this store by; empty if it cannot, as a store in memory, or one that only one
     * process writes}
     */
    default Optional<StoreDescriptor> descriptor() {
        return Optional.empty();
    }

    /**
     * Has everything that is written from now on on its device, so that a loss of power leaves it, when the method
     * returns that writes it.
     *
     * @throws UnsupportedOperationException if the store cannot promise that
     */
    default void makeDurable() {
        throw new UnsupportedOperationException(
                name() + " cannot promise that what was written survives a loss of power");
    }

    /**
     * Creates the group at a path, or replaces its attributes; its parents become groups if they are nothing yet.
     *
     * @throws StoreException if there is an array at the path or at a parent
     */
    void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes) throws IOException;

    /**
     * As {@link #writeGroup(String, Map)}, of a copy that may replace what is there: a store that adds to nothing, as a
     * file that is written as a whole, cannot begin with a group otherwise.
     *
     * <p>Copies call this one. A store that wraps another to change what groups are overrides both.
     */
    default void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes, boolean overwrite)
            throws IOException {
        writeGroup(path, attributes);
    }

    /**
     * Has {@link #finish} bring up to date also what depends on this array, which exists: whoever committed it was
     * killed before it could, so that this store has not begun, gone on with or joined it.
     */
    default void recall(String path) throws IOException {}

    /**
     * Brings everything up to date that depends on the hierarchy as a whole, such as consolidated metadata. Called
     * once, after all arrays are committed and all groups written.
     *
     * @param consolidate whether the source had its metadata consolidated
     */
    default void finish(boolean consolidate) throws IOException {}

    /**
     * {@return a text that two stores share exactly if they are the same place, so that a source is not overwritten by
     * itself}
     */
    String identity();

    /**
     * {@return the places, in the form of {@link Places}, where the data of a node and of all below it are, so that a
     * source is not overwritten by a part of itself}
     *
     * <p>A store that is made of others names their places, and one of files the files, whatever their format: one of
     * another format may lie between them.
     */
    default List<String> places(String path) throws IOException {
        return List.of(Places.of(identity(), path));
    }

    /** {@return the node at a path of this store, as an argument for the front door} */
    default StoreLocation at(String path) {
        return new StoreLocation(this, path);
    }

    /** What is found at a path. */
    sealed interface Node {}

    /** An array. */
    record ArrayNode(ArraySpec spec) implements Node {}

    /**
     * A group.
     *
     * @param attributes the user's attributes
     * @param consolidated whether this group holds consolidated metadata
     */
    record GroupNode(Map<String, @Nullable Object> attributes, boolean consolidated) implements Node {}
}
