package dev.rechunker.io.concat;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.view.VariableView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sources that are arrays, as groups that also contain the coordinates of the array.
 *
 * @param name the name of the array
 * @param axes the names of the axes of the array
 */
record Variables(String name, List<String> axes) {
    /**
     * {@return the arrays with their coordinates; empty if the first one has neither coordinates nor declared
     * dimensions}
     */
    static Optional<Variables> of(Source first) throws IOException {
        if (first.path().isEmpty()) {
            return Optional.empty();
        }
        try (ChunkStore store = first.open()) {
            return VariableView.of(store.at(first.path()))
                    .filter(VariableView::isDescribed)
                    .map(view -> new Variables(view.variable(), view.axes()));
        }
    }

    /** {@return the axis by its name, which is the same in all arrays of the group; only the array gets a new one} */
    Join named(Join join) {
        if (join.fresh()) {
            return new Join(join.name(), join.number(), true, name);
        }
        boolean known = join.name() == null && join.number() < axes.size();
        return known ? new Join(axes.get(join.number()), -1, false) : join;
    }

    /** {@return an array as a group} */
    static Source group(Source array) {
        AtomicReference<@Nullable VariableView> known = new AtomicReference<>();
        return new Source(
                NodePaths.inStore(array.name(), NodePaths.parent(array.path())), "", () -> open(array, known));
    }

    /** {@return the path of a source in the store that its descriptor describes} */
    static String path(Source source, ChunkStore store) {
        return store instanceof Group group ? group.path : source.path();
    }

    private static ChunkStore open(Source array, AtomicReference<@Nullable VariableView> known) throws IOException {
        ChunkStore store = array.opener().open();
        try {
            VariableView view = known.get();
            if (view == null) {
                view = VariableView.of(store.at(array.path()))
                        .orElseThrow(() -> new StoreException("there is no array with names of axes at " + array));
                known.set(view);
            }
            return new Group(view.in(store), store, array.path());
        } catch (IOException | RuntimeException e) {
            try {
                store.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** An array and its coordinates in an open store. */
    private static final class Group extends ForwardingStore {
        private final ChunkStore whole;
        private final String path;

        Group(VariableView view, ChunkStore whole, String path) {
            super(view);
            this.whole = whole;
            this.path = path;
        }

        @Override
        public String identity() {
            return whole.identity() + "#" + path;
        }

        @Override
        public Optional<StoreDescriptor> descriptor() {
            return whole.descriptor();
        }

        @Override
        public void close() throws IOException {
            whole.close();
        }
    }
}
