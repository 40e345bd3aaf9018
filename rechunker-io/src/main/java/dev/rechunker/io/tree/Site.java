package dev.rechunker.io.tree;

import dev.rechunker.array.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Makes room for nodes: refuses what is in the way, and clears what may be overwritten.
 *
 * <p>While an array is being written, {@link #PENDING} beside its chunks holds the document it will have. A run that is
 * killed leaves it behind: the same array can then be gone on with, or begun anew; another one needs {@code overwrite}.
 * What was being removed when the run was killed may be removed.
 *
 * <p>Where no {@linkplain KeyStore#local directory} tells whether a run is still alive, the note names its run besides,
 * and what any other has begun needs {@code overwrite}.
 */
public final class Site {
    /** The name of the note beside an array that is being written. */
    public static final String PENDING = ".rechunker-pending";

    private static final byte[] BEING_REMOVED = {'{', '}', '\n'};

    private final KeyStore store;
    private final Documents documents;
    private final TreeFormat format;
    /** The last line of notes that name their run. */
    private final byte[] run = ("run " + UUID.randomUUID() + "\n").getBytes(StandardCharsets.US_ASCII);

    /** Makes a group of a path whose parents are groups. */
    public interface GroupMaker {
        /** Stores the documents of a group without attributes. */
        void make(String path) throws IOException;
    }

    /** Creates the site of a store whose nodes are of a format. */
    public Site(KeyStore store, TreeFormat format) {
        this.store = store;
        this.documents = new Documents(store);
        this.format = format;
    }

    /**
     * Refuses a place that cannot be made free for an array.
     *
     * @param document what a note says of the array that is being written there: the document that it will have
     * @throws StoreException if something is in the way
     */
    public void requireFree(String path, byte[] document, boolean overwrite) throws IOException {
        isTaken(path, document, overwrite);
    }

    /**
     * Makes the place of an array free, and notes that it is being written there.
     *
     * @param document what the note says: the document that the array will have
     * @throws StoreException if something is in the way
     */
    public void begin(String path, byte[] document, boolean overwrite) throws IOException {
        boolean taken = isTaken(path, document, overwrite);
        format.changing(path);
        if (taken) {
            clear(path);
            put(path, PENDING, note(document));
            return;
        }
        store.sweep(path); // of a run that was killed while it put the note
        if (!store.putNew(NodePaths.below(path, PENDING), ByteBuffer.wrap(note(document)))) {
            throw new StoreException(name(path) + " has just been begun by another run; write elsewhere");
        }
    }

    /** {@return whether something is there, which may be cleared; what may not is refused} */
    private boolean isTaken(String path, byte[] document, boolean overwrite) throws IOException {
        requireGroupsAbove(path);
        Listing listing = store.list(path);
        if (listing.isEmpty()) {
            return false;
        }
        if (format.hasDocument(path)) {
            requireReplaceable(path, overwrite);
            return true;
        }
        byte[] pending = documents.bytes(NodePaths.below(path, PENDING)).orElseThrow(() -> inTheWay(path, listing));
        boolean ofThis = Arrays.equals(pending, note(document)) || Arrays.equals(pending, note(BEING_REMOVED));
        if (!overwrite && !ofThis) {
            throw new StoreException(name(path)
                    + (namesRuns()
                            ? " is being written by another run, or holds what one has left that was killed"
                            : " holds what an unfinished run has left of another array")
                    + "; remove it, or allow to overwrite it");
        }
        return true;
    }

    private boolean namesRuns() {
        return store.local().isEmpty();
    }

    private byte[] note(byte[] document) {
        return namesRuns()
                ? ByteBuffer.allocate(document.length + run.length)
                        .put(document)
                        .put(run)
                        .array()
                : document;
    }

    /** {@return whether a note is of the array that has this document, whatever run it names} */
    private boolean isOf(byte[] document, byte[] note) {
        int length = note.length - (namesRuns() ? run.length : 0);
        return length == document.length && Arrays.equals(document, 0, length, note, 0, length);
    }

    /** Refuses to go on with an array unless exactly that one is under way. */
    public void requirePending(String path, byte[] document) throws IOException {
        Optional<byte[]> pending = documents.bytes(NodePaths.below(path, PENDING));
        if (pending.isEmpty() || !isOf(document, pending.get())) {
            throw new StoreException(name(path) + " cannot be gone on with: "
                    + (pending.isEmpty() ? "no array is under way there" : "another array is under way there"));
        }
    }

    /** Makes an array exist whose documents are all stored. */
    public void end(String path) throws IOException {
        store.delete(NodePaths.below(path, PENDING));
    }

    /** Stores one value of a node. */
    public void put(String path, String name, byte[] document) throws IOException {
        store.put(NodePaths.below(path, name), ByteBuffer.wrap(document));
    }

    /**
     * Prepares the making of a group, or a change of its attributes.
     *
     * @throws StoreException if something is in the way
     */
    public void beginGroup(String path) throws IOException {
        requireGroupsAbove(path);
        if (!format.hasDocument(path)) {
            requireNoFiles(path);
        } else if (format.isArray(path)) {
            throw new StoreException(name(path) + " is an array, where a group is to be written");
        }
        format.changing(path);
    }

    /** Makes groups of all that is above a path and has no document yet, the root first. */
    public void makeGroupsAbove(String path, GroupMaker maker) throws IOException {
        for (String ancestor : NodePaths.ancestors(path)) {
            if (!format.hasDocument(ancestor)) {
                requireNoFiles(ancestor);
                maker.make(ancestor);
            }
        }
    }

    private void requireReplaceable(String path, boolean overwrite) throws IOException {
        if (!overwrite) {
            throw new StoreException(name(path) + " exists; allow to overwrite it, or write elsewhere");
        }
        if (format.isArray(path)) {
            return;
        }
        List<String> children = format.children(path);
        if (!children.isEmpty()) {
            throw new StoreException(name(path) + " is a group with " + children
                    + " in it, which an array does not replace; remove it, or write elsewhere");
        }
    }

    private StoreException inTheWay(String path, Listing listing) {
        String found = listing.values().isEmpty()
                ? listing.directories().get(0)
                : listing.values().get(0);
        return new StoreException(name(path) + " is not empty, and no " + format.name() + " array: it holds \"" + found
                + "\"; it is not touched, write elsewhere");
    }

    private void requireGroupsAbove(String path) throws IOException {
        for (String ancestor : NodePaths.ancestors(path)) {
            if (format.hasDocument(ancestor)) {
                if (format.isArray(ancestor)) {
                    throw new StoreException(name(path) + " cannot be written: " + name(ancestor) + " is an array");
                }
            } else {
                requireNoFiles(ancestor);
            }
        }
    }

    /** Refuses to make a group of a directory that holds files of somebody else. */
    private void requireNoFiles(String path) throws IOException {
        for (String value : store.list(path).values()) {
            if (value.equals(PENDING)) {
                throw new StoreException(name(path) + " is an array that is being written, not a group");
            }
            if (!format.isGroupFile(value)) {
                throw new StoreException(name(path) + " is no " + format.name() + " group: it holds the file \"" + value
                        + "\"; it is not touched, write elsewhere");
            }
        }
    }

    /** Removes documents first, then chunks; what is not a chunk's name stays. */
    private void clear(String path) throws IOException {
        put(path, PENDING, note(BEING_REMOVED));
        for (String document : format.documents()) {
            store.delete(NodePaths.below(path, document));
        }
        store.deleteBelow(path, format::isChunkName);
    }

    private String name(String path) {
        return NodePaths.inStore(store.name(), path);
    }
}
