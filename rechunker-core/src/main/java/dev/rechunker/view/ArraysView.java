package dev.rechunker.view;

import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A read-only view of a store in which arrays have their paths, but are seen otherwise. */
abstract class ArraysView extends ReadOnlyStore {
    private final ChunkStore store;

    /** Creates a view of a store, which it does not close. */
    ArraysView(ChunkStore store) {
        this.store = store;
    }

    /** {@return the store} */
    final ChunkStore stored() {
        return store;
    }

    /** {@return what the view changes, after the name of the store} */
    abstract String suffix();

    /**
     * {@return a reader of an array of the view, which closes {@code stored} when it is closed} If this method throws,
     * the caller closes {@code stored}.
     *
     * @param stored a reader of the array of the store
     */
    abstract ArrayReader viewed(String path, ArrayReader stored) throws IOException;

    @Override
    public final Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(store.capabilities().remote());
    }

    /** {@return the name of the store and what the view changes} */
    @Override
    public final String name() {
        return store.name() + suffix();
    }

    @Override
    public final String identity() {
        return store.identity() + suffix();
    }

    @Override
    public final List<String> children(String path) throws IOException {
        return store.children(path);
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        return store.omissions(path);
    }

    @Override
    public final List<String> layoutOmissions(String path) throws IOException {
        return store.layoutOmissions(path);
    }

    @Override
    public final ArrayReader openReader(String path) throws IOException {
        return open(path, store.openReader(path));
    }

    @Override
    public final Optional<VariableLength> variableLength() {
        return store.variableLength().map(whole -> new VariableLength() {
            @Override
            public ArrayReader openLengths(String path, long most) throws IOException {
                return open(path, whole.openLengths(path, most));
            }

            @Override
            public ArrayReader openReader(String path, int longest, long most) throws IOException {
                return open(path, whole.openReader(path, longest, most));
            }
        });
    }

    private ArrayReader open(String path, ArrayReader stored) throws IOException {
        try {
            return viewed(path, stored);
        } catch (IOException | RuntimeException e) {
            stored.close();
            throw e;
        }
    }

    @Override
    public final List<DataPlace> places(String path) throws IOException {
        return store.places(path);
    }

    /** Does nothing: the store stays open. */
    @Override
    public final void close() {}
}
