package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.ome.GroupView.ArrayImage;
import dev.rechunker.io.ome.GroupView.Level;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Images;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A view of a node of any store as the hierarchy of OME-Zarr: the source of a copy to OME-Zarr. Paths are those of the
 * target. They are the same in the source, except that an array that becomes an image is one level deeper in the
 * target.
 *
 * <p>Each group is examined only once.
 */
final class OmeView extends ReadOnlyStore {
    private final StoreLocation source;
    private final OmeVersion version;
    private final ImageCalibration given;
    /** The examined groups by path; guarded by itself. */
    private final Map<String, GroupView> groups = new HashMap<>();

    OmeView(StoreLocation source, OmeVersion version, ImageCalibration given) {
        this.source = source;
        this.version = version;
        this.given = given;
    }

    @Override
    public String name() {
        return source + " as OME-Zarr " + version.number();
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy()
                .withRemote(source.store().capabilities().remote());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ArrayImage> above = imageAbove(path);
        Optional<Node> node = sourceNode(above.isPresent() ? NodePaths.parent(path) : path);
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            Optional<ArrayImage> image = above.isPresent() ? Optional.empty() : image(path);
            return Optional.of(
                    image.isPresent()
                            ? new GroupNode(GroupSpec.of(image.get().attributes()), false)
                            : new ArrayNode(level(path).of(array.spec())));
        }
        if (node.isPresent() && node.get() instanceof GroupNode group) {
            return Optional.of(new GroupNode(
                    group.spec().withAttributes(group(path).written().attributes()), group.consolidated()));
        }
        return node;
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (imageAbove(path).isPresent()) {
            return List.of();
        }
        StoreLocation place = source.resolve(path);
        return image(path).isPresent()
                ? List.of(ArrayImage.LEVEL)
                : place.store().children(place.path());
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        boolean moved = imageAbove(path).isPresent();
        if (!moved && image(path).isPresent()) {
            throw new StoreException(at(path) + " is a group, not an array");
        }
        Level level = level(path);
        StoreLocation place = source.resolve(moved ? NodePaths.parent(path) : path);
        ArrayReader reader = place.store().openReader(place.path());
        ArraySpec named = level.of(reader.spec());
        return new ForwardingStore.Reader(reader) {
            @Override
            public ArraySpec spec() {
                return named;
            }
        };
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        ChunkStore.requirePath(path);
        boolean moved = imageAbove(path).isPresent();
        if (!moved && image(path).isPresent()) {
            return List.of();
        }
        StoreLocation place = source.resolve(moved ? NodePaths.parent(path) : path);
        List<String> omissions = new ArrayList<>(place.store().omissions(place.path()));
        Optional<Node> node = sourceNode(moved ? NodePaths.parent(path) : path);
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            if (given.names() == null) {
                level(path).note(array.spec()).ifPresent(omissions::add);
            }
            if (!path.isEmpty() && !moved) {
                Optional.ofNullable(group(NodePaths.parent(path)).plain().get(NodePaths.leaf(path)))
                        .ifPresent(omissions::add);
            }
        } else if (node.isPresent()) {
            omissions.addAll(group(path).written().notes());
        }
        return omissions;
    }

    /** {@return the image that the array at a path becomes; empty if it does not become one} */
    private Optional<ArrayImage> image(String path) throws IOException {
        if (path.isEmpty()) {
            Optional<Node> node = sourceNode("");
            return node.isPresent() && node.get() instanceof ArrayNode array && canBeImage(array)
                    ? Optional.of(ArrayImage.of(context(""), Metadata.nameOf(source), array.spec(), Map.of()))
                    : Optional.empty();
        }
        Optional<Node> above = sourceNode(NodePaths.parent(path));
        return above.isPresent() && above.get() instanceof GroupNode
                ? Optional.ofNullable(group(NodePaths.parent(path)).images().get(NodePaths.leaf(path)))
                : Optional.empty();
    }

    /** {@return the image whose only level is at a path; empty if there is none} */
    private Optional<ArrayImage> imageAbove(String path) throws IOException {
        return path.isEmpty() || !NodePaths.leaf(path).equals(ArrayImage.LEVEL)
                ? Optional.empty()
                : image(NodePaths.parent(path));
    }

    /** {@return the level that the array at a path is} */
    private Level level(String path) throws IOException {
        Optional<ArrayImage> image = imageAbove(path);
        if (image.isPresent()) {
            return image.get().level();
        }
        for (String above = path; !above.isEmpty(); ) {
            above = NodePaths.parent(above);
            Level level = group(above).levels().get(above.isEmpty() ? path : path.substring(above.length() + 1));
            if (level != null) {
                return level;
            }
        }
        return Level.NONE;
    }

    /** {@return the group at a path of the source, as it is written} */
    private GroupView group(String path) throws IOException {
        synchronized (groups) {
            GroupView known = groups.get(path);
            if (known == null) {
                known = examine(path);
                groups.put(path, known);
            }
            return known;
        }
    }

    private GroupView examine(String path) throws IOException {
        Map<String, @Nullable Object> attributes = attributes(path);
        GroupView.Source context = context(path);
        Optional<Metadata> metadata = Metadata.find(context.place(), attributes);
        if (metadata.isPresent()
                || (!path.isEmpty() && group(NodePaths.parent(path)).governed())) {
            return GroupView.governed(context, attributes, metadata, metadata.isPresent() ? made(path) : Map.of());
        }
        StoreLocation place = source.resolve(path);
        Map<String, ArraySpec> arrays = new LinkedHashMap<>();
        for (String child : place.store().children(place.path())) {
            if (LevelImages.readable(place.resolve(child)) instanceof ArrayNode array && canBeImage(array)) {
                arrays.put(child, array.spec());
            }
        }
        boolean wasArray = !path.isEmpty() && attributes.isEmpty() && isMade(NodePaths.below(path, ArrayImage.SECOND));
        Map<String, @Nullable Object> calibration = wasArray ? attributes(NodePaths.parent(path)) : attributes;
        return GroupView.withCreatedMetadata(context, attributes, calibration, arrays);
    }

    private Map<String, @Nullable Object> attributes(String path) throws IOException {
        return sourceNode(path).orElse(null) instanceof GroupNode group ? group.attributes() : Map.of();
    }

    /** {@return the levels of a group if some of them are made by the copy, the largest first; else none} */
    private Map<String, ArraySpec> made(String path) throws IOException {
        return isMade(NodePaths.below(path, ArrayImage.SECOND)) ? Images.levelsIn(source.resolve(path)) : Map.of();
    }

    private boolean isMade(String path) throws IOException {
        return LevelImages.readable(source.resolve(path)) instanceof ArrayNode array
                && MadeLevel.of(array.spec()).isPresent();
    }

    /**
     * {@return whether the target can store the elements of an array; other arrays stay unchanged, and the target
     * refuses them}
     */
    private boolean canBeImage(ArrayNode array) throws StoreException {
        return version.zarr().has(array.spec().dataType());
    }

    private GroupView.Source context(String path) {
        return new GroupView.Source(source.resolve(path), version, given);
    }

    private Optional<Node> sourceNode(String path) throws IOException {
        StoreLocation place = source.resolve(path);
        return place.store().node(place.path());
    }

    @Override
    public String identity() {
        return source.store().identity() + " " + source.path() + " as OME-Zarr";
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return source.store().places(source.path());
    }

    /** Does nothing: the source is closed by its owner. */
    @Override
    public void close() {}
}
