package dev.rechunker.job;

import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A store that does not have to be closed. It is opened for each call, and for each reader as long as that is open.
 *
 * <p>A plan can therefore be kept and executed again without a file being open in between.
 */
final class StoreOnDemand extends ReadOnlyStore {
    private final Opener opener;
    private final String name;
    private final String identity;
    private final boolean remote;
    private final Optional<StoreDescriptor> descriptor;

    /** Opens the store. */
    @FunctionalInterface
    interface Opener {
        ChunkStore open() throws IOException;
    }

    /** A question to the store. */
    @FunctionalInterface
    private interface Question<T> {
        T of(ChunkStore store) throws IOException;
    }

    StoreOnDemand(Opener opener) throws IOException {
        this.opener = opener;
        try (ChunkStore store = opener.open()) {
            name = store.name();
            identity = store.identity();
            remote = store.capabilities().remote();
            descriptor = store.descriptor();
        }
    }

    private <T> T ask(Question<T> question) throws IOException {
        try (ChunkStore store = opener.open()) {
            return question.of(store);
        }
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(remote);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        return ask(store -> store.node(path));
    }

    @Override
    public List<String> children(String path) throws IOException {
        return ask(store -> store.children(path));
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        return ask(store -> store.omissions(path));
    }

    @Override
    public List<String> layoutOmissions(String path) throws IOException {
        return ask(store -> store.layoutOmissions(path));
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore store = opener.open();
        try {
            return new Reader(store, store.openReader(path));
        } catch (IOException | RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return descriptor;
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return ask(store -> store.places(path));
    }

    /** Does nothing, as nothing is open. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }

    /** A reader that closes its store, too. */
    private static final class Reader extends ForwardingStore.Reader {
        private final ChunkStore store;

        Reader(ChunkStore store, ArrayReader reader) {
            super(reader);
            this.store = store;
        }

        @Override
        public void close() throws IOException {
            try (store) {
                super.close();
            }
        }
    }
}
