package dev.rechunker.io.tree;

import dev.rechunker.hierarchy.NodePaths;
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
 * Prepares and completes the creation of nodes: refuses to write where other data exist, and removes nodes that may be
 * overwritten.
 *
 * <p>While an array is being written, the note {@link #PENDING} next to its chunks contains the document that the array
 * will have. A killed run leaves the note. Then a run can resume the same array or start it again; a different array
 * needs {@code overwrite}. If the run was killed while it removed an array, the rest may be removed.
 *
 * <p>In a store that is not a {@linkplain KeyStore#local directory} it is unknown whether a run is still alive. There
 * the note also contains an identifier of its run, and an array that another run has started needs {@code overwrite}.
 */
public final class NodeCreation {
    /** The name of the note next to the chunks of an array that is being written. */
    public static final String PENDING = ".rechunker-pending";

    private static final byte[] BEING_REMOVED = {'{', '}', '\n'};

    private final KeyStore store;
    private final Documents documents;
    private final TreeFormat format;
    /** Held by the thread that creates a group above an array. */
    private final Object groups = new Object();
    /** The line of a note that identifies its run. */
    private final byte[] run = ("run " + UUID.randomUUID() + "\n").getBytes(StandardCharsets.US_ASCII);

    /** Creates a group whose parents are groups. */
    public interface GroupMaker {
        /** Stores the documents of a group without attributes. */
        void make(String path) throws IOException;
    }

    /** Creates an object for the nodes of a format in a store. */
    public NodeCreation(KeyStore store, TreeFormat format) {
        this.store = store;
        this.documents = new Documents(store);
        this.format = format;
    }

    /**
     * Refuses a path at which an array cannot be created.
     *
     * @param document the document that the array will have
     * @throws StoreException if other data exist there
     */
    public void requireFree(String path, byte[] document, boolean overwrite) throws IOException {
        isTaken(path, document, overwrite);
    }

    /**
     * Removes an array that may be overwritten, and writes the note that an array is being written.
     *
     * @param document the document that the array will have
     * @throws StoreException if other data exist there
     */
    public void begin(String path, byte[] document, boolean overwrite) throws IOException {
        boolean taken = isTaken(path, document, overwrite);
        format.beforeChange(path);
        if (taken) {
            clear(path);
            put(path, PENDING, note(document));
            return;
        }
        store.deleteAbandoned(path); // a run may have been killed while it wrote the note
        if (!store.putNew(NodePaths.below(path, PENDING), ByteBuffer.wrap(note(document)))) {
            throw new StoreException(name(path) + " was started by another run a moment ago; write elsewhere");
        }
    }

    /** {@return whether data exist at a path that may be removed} Other data are refused. */
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
        byte[] pending = documents.bytes(NodePaths.below(path, PENDING)).orElseThrow(() -> foreignData(path, listing));
        boolean isSameArray = Arrays.equals(pending, note(document)) || Arrays.equals(pending, note(BEING_REMOVED));
        if (!overwrite && !isSameArray) {
            throw new StoreException(name(path)
                    + (notesNameRuns()
                            ? " is being written by another run, or contains data of a run that was killed"
                            : " contains unfinished data of another array")
                    + "; remove it, or allow it to be overwritten");
        }
        return true;
    }

    private boolean notesNameRuns() {
        return store.local().isEmpty();
    }

    private byte[] note(byte[] document) {
        return notesNameRuns()
                ? ByteBuffer.allocate(document.length + run.length)
                        .put(document)
                        .put(run)
                        .array()
                : document;
    }

    /** {@return whether a note is of the array that has this document, of any run} */
    private boolean isOf(byte[] document, byte[] note) {
        int length = note.length - (notesNameRuns() ? run.length : 0);
        return length == document.length && Arrays.equals(document, 0, length, note, 0, length);
    }

    /** Refuses to resume an array unless the note is of exactly this array. */
    public void requirePending(String path, byte[] document) throws IOException {
        Optional<byte[]> pending = documents.bytes(NodePaths.below(path, PENDING));
        if (pending.isEmpty() || !isOf(document, pending.get())) {
            throw new StoreException(name(path) + " cannot be resumed: "
                    + (pending.isEmpty()
                            ? "no unfinished array is there"
                            : "the unfinished array there is another one"));
        }
    }

    /**
     * {@return a number that identifies the creation of the unfinished array at a path, where notes name their runs; 0
     * if there is none, or notes do not}
     */
    public long number(String path) throws IOException {
        Optional<byte[]> note = notesNameRuns() ? documents.bytes(NodePaths.below(path, PENDING)) : Optional.empty();
        if (note.isEmpty()) {
            return 0;
        }
        UUID hash = UUID.nameUUIDFromBytes(note.get());
        return hash.getMostSignificantBits() ^ hash.getLeastSignificantBits();
    }

    /** Removes the note, so that an array exists whose documents are all stored. */
    public void end(String path) throws IOException {
        store.delete(NodePaths.below(path, PENDING));
    }

    /** Stores one value of a node. */
    public void put(String path, String name, byte[] document) throws IOException {
        store.put(NodePaths.below(path, name), ByteBuffer.wrap(document));
    }

    /**
     * Prepares the creation of a group, or a change of its attributes.
     *
     * @throws StoreException if other data exist there
     */
    public void beginGroup(String path) throws IOException {
        requireGroupsAbove(path);
        if (!format.hasDocument(path)) {
            requireNoFiles(path);
        } else if (format.isArray(path)) {
            throw new StoreException(name(path) + " is an array, so no group can be written there");
        }
        format.beforeChange(path);
    }

    /**
     * Creates all groups above a path that do not exist yet, from the root down. If several threads create arrays, one
     * of them creates a group.
     */
    public void makeGroupsAbove(String path, GroupMaker maker) throws IOException {
        for (String ancestor : NodePaths.ancestors(path)) {
            if (!format.hasDocument(ancestor)) {
                synchronized (groups) {
                    if (!format.hasDocument(ancestor)) {
                        requireNoFiles(ancestor);
                        maker.make(ancestor);
                    }
                }
            }
        }
    }

    private void requireReplaceable(String path, boolean overwrite) throws IOException {
        if (!overwrite) {
            throw new StoreException(name(path) + " exists; allow it to be overwritten, or write elsewhere");
        }
        if (format.isArray(path)) {
            return;
        }
        List<String> children = format.children(path);
        if (!children.isEmpty()) {
            throw new StoreException(name(path) + " is a group with " + children
                    + " in it, which an array must not replace; remove it, or write elsewhere");
        }
    }

    private StoreException foreignData(String path, Listing listing) {
        String found = listing.values().isEmpty()
                ? listing.directories().get(0)
                : listing.values().get(0);
        return new StoreException(name(path) + " contains \"" + found + "\", but no " + format.name()
                + " array; it was not changed, write elsewhere");
    }

    private void requireGroupsAbove(String path) throws IOException {
        for (String ancestor : NodePaths.ancestors(path)) {
            if (!format.hasDocument(ancestor)) {
                synchronized (groups) { // not while another thread writes its document
                    if (!format.hasDocument(ancestor)) {
                        requireNoFiles(ancestor);
                    }
                }
            } else if (format.isArray(ancestor)) {
                throw new StoreException(name(path) + " cannot be written: " + name(ancestor) + " is an array");
            }
        }
    }

    /** Refuses to make a group of a directory that contains foreign files. */
    private void requireNoFiles(String path) throws IOException {
        for (String value : store.list(path).values()) {
            if (value.equals(PENDING)) {
                throw new StoreException(name(path) + " is an array that is being written, not a group");
            }
            if (!format.isGroupFile(value)) {
                throw new StoreException(name(path) + " contains the file \"" + value + "\", but no " + format.name()
                        + " group; it was not changed, write elsewhere");
            }
        }
    }

    /** Removes the documents, then the chunks. Files whose name is not one of a chunk stay. */
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
