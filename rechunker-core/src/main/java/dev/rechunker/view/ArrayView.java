package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One step of a view: what an array of the source becomes, and how it is read. A {@link ViewedStore} applies a list of
 * steps, each to what the one before has made. Immutable.
 *
 * <p>A step is bound to the arrays of one source, and has been checked to fit them.
 */
public interface ArrayView {
    /** {@return what the step does, for people and for comparing plans, such as {@code transpose y, x, time}} */
    String text();

    /**
     * {@return what an array becomes; the same array if the step does not concern it}
     *
     * @param path the path of the array in the store
     * @throws IOException if the array cannot be seen so; the message names it
     */
    ArraySpec of(String path, ArraySpec spec) throws IOException;

    /**
     * {@return a reader of what an array becomes, with the spec that {@link #of(String, ArraySpec)} returns; the same
     * reader if the step does not concern the array} Closing it closes {@code reader}. If this method throws, the
     * caller closes {@code reader}.
     *
     * @param path the path of the array in the store
     * @param reader a reader of the array
     */
    ArrayReader of(String path, ArrayReader reader) throws IOException;

    /**
     * {@return the step with what was found out when it was bound, so that it can be bound again without finding it
     * out; by default empty: nothing was found out}
     */
    default Optional<ViewStep> settled() {
        return Optional.empty();
    }

    /**
     * {@return what the metadata of a node do not say of the view, or say wrongly, in a sentence each}
     *
     * @param path the path of the node in the store
     */
    default List<String> omissions(String path, ChunkStore.Node node) throws IOException {
        return List.of();
    }

    /**
     * {@return what a group becomes; by default the same}
     *
     * @param path the path of the group in the store
     */
    default GroupSpec ofGroup(String path, GroupSpec group) throws IOException {
        return group;
    }
}
