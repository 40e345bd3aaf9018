package dev.rechunker.store;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Opens and creates stores of any format by their URI. Providers are found by {@link java.util.ServiceLoader}, so that
 * code that knows no formats can name places.
 */
public interface StoreProvider {
    /** {@return the URI schemes that it handles, in lower case: {@code file}} */
    Set<String> schemes();

    /**
     * {@return the store at a place}
     *
     * @param place an absolute URI with one of the schemes, without a fragment
     * @throws StoreException if nothing exists there, or nothing of a known format; the message lists what was looked
     *     for
     */
    ChunkStore open(URI place) throws IOException;

    /**
     * {@return a store to write to at a place, in the format that its name indicates}
     *
     * @param place an absolute URI with one of the schemes, without a fragment
     * @throws StoreException if nothing can be written there
     */
    ChunkStore create(URI place) throws IOException;

    /**
     * {@return the store that a descriptor describes, or empty if this provider does not know its kind}
     *
     * <p>Opening it writes nothing; a store that will be written to need not exist.
     *
     * @throws StoreException if it cannot be opened
     */
    default Optional<ChunkStore> open(StoreDescriptor descriptor) throws IOException {
        return Optional.empty();
    }

    /**
     * {@return the spill store that a descriptor describes, or empty if this provider does not know its kind}
     *
     * @throws StoreException if it cannot be opened
     */
    default Optional<SpillStore> openSpill(StoreDescriptor descriptor) throws IOException {
        return Optional.empty();
    }
}
