package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Images;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the images of a source of which levels can be made: by their OME metadata or, without any, by the calibration
 * that new metadata would have.
 */
final class LevelImages {
    private final OmeVersion version;
    private final ImageCalibration given;

    LevelImages(OmeVersion version, ImageCalibration given) {
        this.version = version;
        this.given = given;
    }

    /** {@return the image that a node is; empty if nothing is known of it} */
    Optional<FormatRules.Image> of(StoreLocation place) throws IOException {
        Optional<Node> node = node(place);
        if (node.isPresent() && node.get() instanceof GroupNode group) {
            Optional<Metadata> metadata = Metadata.find(place, group.attributes());
            return metadata.isPresent() ? described(place, metadata.get()) : undescribed(place, group);
        }
        if (node.isEmpty() || !(node.get() instanceof ArrayNode array)) {
            return Optional.empty();
        }
        if (isGoverned(place)) {
            // An array beside images, such as one of a table.
            List<FormatRules.Axis> none =
                    Collections.nCopies(array.spec().shape().rank(), new FormatRules.Axis(false, 1));
            return Optional.of(new FormatRules.Image(List.of(""), none, false));
        }
        Map<String, @Nullable Object> above =
                place.path().isEmpty() ? Map.of() : attributes(place.store().at(NodePaths.parent(place.path())));
        return created(place, array.spec(), above)
                .map(axes -> new FormatRules.Image(List.of(""), axes, Images.isBelowLabels(place)));
    }

    private static Optional<FormatRules.Image> described(StoreLocation place, Metadata metadata) throws IOException {
        Optional<Multiscale> image = metadata.image(place.toString());
        if (image.isEmpty()) {
            return Optional.empty();
        }
        String first = image.get().paths().get(0);
        StoreLocation largest = place.resolve(first);
        if (!(node(largest).orElse(null) instanceof ArrayNode array)) {
            throw new StoreException(
                    place + " has OME metadata with the level " + first + ", but there is no array at " + largest);
        }
        return Optional.of(image.get().image(array.spec(), metadata.isLabels() || Images.isBelowLabels(place)));
    }

    private Optional<FormatRules.Image> undescribed(StoreLocation place, GroupNode group) throws IOException {
        Map<String, ArraySpec> pyramid = Images.levelsIn(place);
        if (pyramid.isEmpty()) {
            return Optional.empty();
        }
        Map.Entry<String, ArraySpec> largest = pyramid.entrySet().iterator().next();
        return created(place.resolve(largest.getKey()), largest.getValue(), group.attributes())
                .map(axes -> new FormatRules.Image(List.copyOf(pyramid.keySet()), axes, Images.isBelowLabels(place)));
    }

    /** {@return the axes that an array has if it becomes an image; empty if it does not} */
    private Optional<List<FormatRules.Axis>> created(
            StoreLocation place, ArraySpec spec, Map<String, @Nullable Object> group) throws StoreException {
        if (!version.zarr().has(spec.dataType())) {
            return Optional.empty();
        }
        try {
            Image image = Image.of(place.toString(), spec, group, given);
            return Optional.of(Units.axes(
                    image.axes().stream()
                            .map(axis -> axis.type() == Axis.Type.SPACE)
                            .toList(),
                    image.scale(),
                    image.axes().stream().map(Axis::unit).toList()));
        } catch (StoreException notAnImage) {
            return Optional.empty(); // is a loss of the copy
        }
    }

    /** {@return whether a node is below one with OME metadata} */
    private static boolean isGoverned(StoreLocation place) throws IOException {
        for (String path = place.path(); !path.isEmpty(); ) {
            path = NodePaths.parent(path);
            StoreLocation above = place.store().at(path);
            if (readable(above) instanceof GroupNode group
                    && Metadata.find(above, group.attributes()).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, @Nullable Object> attributes(StoreLocation place) throws IOException {
        return readable(place) instanceof GroupNode group ? group.attributes() : Map.of();
    }

    private static Optional<Node> node(StoreLocation place) throws IOException {
        return place.store().node(place.path());
    }
    /** {@return a node; null if it cannot be read, which is reported when the node itself is copied} */
    static @Nullable Node readable(StoreLocation place) throws IOException {
        try {
            return node(place).orElse(null);
        } catch (StoreException e) {
            return null;
        }
    }
}
