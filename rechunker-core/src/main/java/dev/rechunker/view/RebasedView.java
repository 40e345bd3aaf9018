package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A view of a store in which the times of some arrays are in other units. */
public final class RebasedView extends ForwardingStore {
    private final Map<String, Rebase> changes;

    private RebasedView(ChunkStore store, Map<String, Rebase> changes) {
        super(store);
        this.changes = changes;
    }

    /** Says which array another one is joined with or compared to. */
    @FunctionalInterface
    public interface Counterparts {
        /**
         * {@return the array at a path below the source; empty if there is none, or the source's keeps its units}
         *
         * @param own the array of the source
         */
        Optional<ArraySpec> of(String path, ArraySpec own) throws IOException;
    }

    /**
     * {@return the changes of the arrays at a location and below it whose times are not in the units of their
     * counterparts, with their bounds; by path in the store}
     */
    public static Map<String, Rebase> changes(StoreLocation source, Counterparts counterparts) throws IOException {
        Map<String, Rebase> changes = new TreeMap<>();
        visit(source, "", counterparts, changes);
        return changes;
    }

    /** {@return the view of a store with changes of some of its arrays; closing it closes the store} */
    public static ChunkStore of(ChunkStore store, Map<String, Rebase> changes) {
        return changes.isEmpty() ? store : new RebasedView(store, changes);
    }

    private static void visit(StoreLocation source, String path, Counterparts counterparts, Map<String, Rebase> changes)
            throws IOException {
        StoreLocation place = source.resolve(path);
        Optional<Node> node = Nodes.understood(place);
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            Optional<ArraySpec> other = counterparts.of(path, array.spec());
            Optional<Rebase> change =
                    other.isPresent() ? Rebase.of(place.toString(), array.spec(), other.get()) : Optional.empty();
            if (change.isPresent()) {
                changes.put(place.path(), change.get());
                addBounds(source, path, array.spec(), change.get(), counterparts, changes);
            }
        } else if (node.isPresent()) {
            for (String child : place.store().children(place.path())) {
                visit(source, NodePaths.below(path, child), counterparts, changes);
            }
        }
    }

    private static void addBounds(
            StoreLocation source,
            String path,
            ArraySpec times,
            Rebase change,
            Counterparts counterparts,
            Map<String, Rebase> changes)
            throws IOException {
        for (String attribute : new String[] {"bounds", "climatology"}) {
            if (path.isEmpty()
                    || !(times.attributes().get(attribute) instanceof String name)
                    || name.isBlank()
                    || name.contains("/")) {
                continue;
            }
            String bounds = NodePaths.below(NodePaths.parent(path), name.trim());
            StoreLocation place = source.resolve(bounds);
            if (Nodes.understood(place).orElse(null) instanceof ArrayNode array) {
                counterparts
                        .of(bounds, array.spec())
                        .flatMap(other -> change.ofBounds(place.toString(), array.spec(), other))
                        .ifPresent(same -> changes.put(place.path(), same));
            }
        }
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Rebase change = changes.get(path);
        Optional<Node> node = super.node(path);
        return change != null && node.orElse(null) instanceof ArrayNode array
                ? Optional.of(new ArrayNode(change.changed(array.spec())))
                : node;
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        Rebase change = changes.get(path);
        ArrayReader reader = super.openReader(path);
        return change == null ? reader : new Reader(reader, change.changed(reader.spec()), change);
    }

    /**
     * Reads all changed arrays, to refuse numbers that cannot be changed.
     *
     * @param most the bytes that reading may take; larger chunks are not read
     */
    public static void requirePossible(ChunkStore view, Iterable<String> paths, long most) throws IOException {
        for (String path : paths) {
            try (ArrayReader reader = view.openReader(path)) {
                ChunkGrid grid = reader.spec().chunks();
                CellReader chunks = new CellReader(reader, grid);
                if (!chunks.fits(Math.min(most, Integer.MAX_VALUE))) {
                    continue;
                }
                for (long chunk = 0; chunk < grid.count(); chunk++) {
                    chunks.read(grid.regionAt(chunk));
                }
            }
        }
    }

    /** A reader of times in other units. */
    private static final class Reader extends ConvertedReader {
        private final Rebase change;

        Reader(ArrayReader reader, ArraySpec changed, Rebase change) {
            super(
                    reader,
                    changed,
                    reader.spec().dataType().itemSize() == changed.dataType().itemSize());
            this.change = change;
        }

        @Override
        void convert(ByteBuffer elements, ByteBuffer target) throws StoreException {
            change.change(elements, target);
        }

        /** {@return true: elements that were never written are times, too} */
        @Override
        boolean convertsFillValue() {
            return true;
        }
    }
}
