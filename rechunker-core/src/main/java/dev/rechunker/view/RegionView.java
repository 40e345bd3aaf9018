package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of a store in which each array is replaced by a part of it. Attributes are unchanged, except that
 * those of images say where the part is. Chunks and shards at the edge of a part are clipped to the part.
 */
public final class RegionView extends ArraysView {
    /** The most chunks of an irregular axis; more would take over 128 MiB to list. */
    static final long MOST_PARTS = 1 << 24;

    private final String label;
    private final Choice choice;

    /** A function that selects the part of an array. */
    @FunctionalInterface
    public interface Choice {
        /**
         * {@return the part of an array that the view shows, a region inside the array}
         *
         * @param path the path of the array in the store
         * @param spec the spec of the whole array
         */
        Region region(String path, ArraySpec spec);
    }

    /**
     * Creates a view of a store. Closing the view does not close the store.
     *
     * @param label a description of the part for messages, such as {@code time=0:100}
     * @param choice selects the part of each array
     */
    public RegionView(ChunkStore store, String label, Choice choice) {
        super(store);
        this.label = label;
        this.choice = choice;
    }

    /**
     * {@return the spec of a part of an array, which differs from that of the array in shape and grids only}
     *
     * @throws StoreException if the part starts inside a chunk and has too many chunks to list their sizes
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
                throw new StoreException(
                        "the region " + region + " starts inside a chunk of " + grid + " and has more" + " than "
                                + MOST_PARTS + " chunks on axis " + axis + "; choose a region that starts at a chunk");
            }
            axes.add(whole.slice(from, region.end(axis)));
        }
        return ChunkGrid.of(axes);
    }

    @Override
    String suffix() {
        return "[" + label + "]";
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        try {
            return seen(path, stored().node(path));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Optional<Node> seen(String path, Optional<Node> node) throws IOException {
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            return Optional.of(new ArrayNode(part(array.spec(), choice.region(path, array.spec()))));
        }
        if (node.isPresent() && node.get() instanceof GroupNode group) {
            Map<String, @Nullable Object> attributes =
                    new ImageAttributes().ofGroup(group.attributes(), child -> shown(NodePaths.below(path, child)));
            return Optional.of(new GroupNode(group.spec().withAttributes(attributes), group.consolidated()));
        }
        return node;
    }

    /** {@return an array and its part; empty if there is none that is understood, or the part is the whole} */
    private Optional<ImageAttributes.Shown> shown(String path) {
        try {
            return Nodes.array(stored().at(path))
                    .map(spec -> new ImageAttributes.Shown(spec, Geometry.part(choice.region(path, spec))))
                    .filter(shown -> !shown.isWhole());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // is refused when the array is copied; new levels replace those of an image
        }
    }

    @Override
    ArrayReader viewed(String path, ArrayReader reader) throws StoreException {
        return reader(reader, choice.region(path, reader.spec()));
    }

    /** {@return a reader of a part of an array, which closes {@code whole} when it is closed} */
    static ArrayReader reader(ArrayReader whole, Region region) throws StoreException {
        return region.equals(Region.whole(whole.spec().shape())) ? whole : new RegionReader(whole, region);
    }
}
