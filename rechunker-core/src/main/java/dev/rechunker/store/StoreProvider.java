package dev.rechunker.store;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Opens and creates stores by their place, whatever their format. Found by {@link java.util.ServiceLoader}, so that
 * places can be named where formats are not known.
 */
public interface StoreProvider {
    /** {@return the schemes of the places it knows, in lower case: {@code file}} */
    Set<String> schemes();

    /**
     * {@return what is at a place}
     *
     * @param place absolute, of one of the schemes, without a fragment
     * @throws StoreException if there is nothing, or nothing that is recognised; the message lists what was looked for
     */
    ChunkStore open(URI place) throws IOException;

    /**
     * {@return a store to write to at a place, in the format that its name says}
     *
     * @param place absolute, of one of the schemes, without a fragment
     * @throws StoreException if nothing can be written there
     */
    ChunkStore create(URI place) throws IOException;

    /**
     * {@return the store that a descriptor describes, or empty if its kind is not known here}
     *
     * <p>Nothing is written by opening it, and where it is to be written to it need not exist.
     *
     * @throws StoreException if it cannot be opened
     */
    default Optional<ChunkStore> open(StoreDescriptor descriptor) throws IOException {
        return Optional.empty();
    }

    /**
     * {@return the place for spills that a descriptor describes, or empty if its kind is not known here}
     *
     * @throws StoreException if it cannot be opened
     */
    default Optional<SpillStore> openSpill(StoreDescriptor descriptor) throws IOException {
        return Optional.empty();
    }
}
