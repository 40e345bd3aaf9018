package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A store of whose arrays only a part is seen, as arrays of their own; groups and attributes are as they are. Chunks
 * and shards that a part begins or ends in are seen as far as they belong to it.
 */
public final class RegionView extends ReadOnlyStore {
    /** More chunks of different sizes than these would take more than 128 MiB to list. */
    private static final long MOST_PARTS = 1 << 24;

    private final ChunkStore store;
    private final String label;
    private final Choice choice;

    /** Chooses the part of an array that is seen. */
    @FunctionalInterface
    public interface Choice {
        /**
         * {@return the part of an array that is seen; it lies inside of the array}
         *
         * @param path where the array is in the store
         */
        Region region(String path, ArraySpec spec);
    }

    /**
     * Creates the view of a store, which stays open when the view is closed.
     *
     * @param label what is seen, for messages
     */
    public RegionView(ChunkStore store, String label, Choice choice) {
        this.store = store;
        this.label = label;
        this.choice = choice;
    }

    /**
     * {@return the spec of a part of an array: the same in all but the shape}
     *
     * @throws StoreException if it has too many chunks of different sizes
     */
    public static ArraySpec part(ArraySpec spec, Region region) throws StoreException {
        return spec.toBuilder()
                .shards(spec.shards().isPresent() ? slice(spec.shards().get(), region) : null)
                .chunks(slice(spec.chunks(), region))
                .build();
    }

    private static ChunkGrid slice(ChunkGrid grid, Region region) throws StoreException {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < grid.rank(); axis++) {
            Partition whole = grid.axis(axis);
            long from = region.start(axis);
            boolean listed = from < region.end(axis) && !whole.isBoundary(from);
            if (listed && whole.indexOf(region.end(axis) - 1) - whole.indexOf(from) >= MOST_PARTS) {
                throw new StoreException("the region " + region + " begins inside a chunk of " + grid + " and has more"
                        + " than " + MOST_PARTS + " chunks on axis " + axis + "; let it begin where a chunk does");
            }
            axes.add(whole.slice(from, region.end(axis)));
        }
        return ChunkGrid.of(axes);
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(store.capabilities().remote());
    }

    @Override
    public String name() {
        return store.name() + "[" + label + "]";
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Optional<Node> node = store.node(path);
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            return Optional.of(new ArrayNode(part(array.spec(), choice.region(path, array.spec()))));
        }
        return node;
    }

    @Override
    public List<String> children(String path) throws IOException {
        return store.children(path);
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        return store.omissions(path);
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ArrayReader reader = store.openReader(path);
        try {
            return reader(reader, choice.region(path, reader.spec()));
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** {@return a reader of a part of an array, which closes the reader of the whole} */
    static ArrayReader reader(ArrayReader whole, Region region) throws StoreException {
        return region.equals(Region.whole(whole.spec().shape())) ? whole : new RegionReader(whole, region);
    }

    @Override
    public String identity() {
        return store.identity() + "[" + label + "]";
    }

    @Override
    public List<String> places(String path) throws IOException {
        return store.places(path);
    }

    /** Does nothing: the store stays open. */
    @Override
    public void close() {}
}
