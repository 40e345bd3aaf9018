package dev.rechunker.view;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.FormatRules.Image;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A view of a source without those levels of its images that are made again from the first ones: so a selection need
 * not mean the same part of each.
 */
public final class FirstLevels extends ForwardingStore {
    private static final String MULTISCALES = "multiscales";
    private static final String DATASETS = "datasets";

    /** The paths of the levels below their groups, by the path of the group. */
    private final Map<String, List<String>> levels;

    /** The paths of all of them. */
    private final Set<String> hidden = new LinkedHashSet<>();

    private FirstLevels(ChunkStore store, Map<String, List<String>> levels) {
        super(store);
        this.levels = levels;
        levels.forEach((group, paths) -> paths.forEach(path -> hidden.add(NodePaths.below(group, path))));
    }

    /**
     * {@return the view; the source itself if no image in it has several levels}
     *
     * @param rules what the target's format knows of images
     */
    public static StoreLocation of(StoreLocation source, FormatRules rules) throws IOException {
        Images images = new Images(rules);
        Map<String, List<String>> levels = new LinkedHashMap<>();
        Deque<StoreLocation> left = new ArrayDeque<>(List.of(source));
        while (!left.isEmpty()) {
            StoreLocation place = left.removeLast();
            Optional<Node> node = Nodes.understood(place);
            if (node.isEmpty() || !(node.get() instanceof GroupNode)) {
                continue;
            }
            Optional<Image> image = image(images, place, node.get());
            if (image.isPresent() && image.get().levels().size() > 1) {
                List<String> paths = image.get().levels();
                levels.put(place.path(), paths.subList(1, paths.size()));
            }
            for (String child : place.store().children(place.path())) {
                left.addLast(place.resolve(child));
            }
        }
        return levels.isEmpty() ? source : new FirstLevels(source.store(), levels).at(source.path());
    }

    private static Optional<Image> image(Images images, StoreLocation place, Node node) throws IOException {
        try {
            return images.of(place, node);
        } catch (StoreException notAnImage) {
            return Optional.empty(); // is refused when levels are made
        }
    }

    private boolean isHidden(String path) {
        for (String above = path; !above.isEmpty(); above = NodePaths.parent(above)) {
            if (hidden.contains(above)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Optional<Node> node = isHidden(path) ? Optional.empty() : super.node(path);
        List<String> others = levels.get(path);
        if (others == null || node.isEmpty() || !(node.get() instanceof GroupNode group)) {
            return node;
        }
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(group.attributes());
        attributes.computeIfPresent(MULTISCALES, (key, images) -> without(others, images));
        attributes.computeIfPresent("ome", (key, value) -> {
            if (!(value instanceof Map<?, ?> ome) || !ome.containsKey(MULTISCALES)) {
                return value;
            }
            Map<Object, @Nullable Object> changed = new LinkedHashMap<>(ome);
            changed.put(MULTISCALES, without(others, ome.get(MULTISCALES)));
            return changed;
        });
        return Optional.of(new GroupNode(group.spec().withAttributes(attributes), false));
    }

    /** {@return the value of {@code multiscales} without some data sets} */
    private static @Nullable Object without(List<String> others, @Nullable Object multiscales) {
        if (!(multiscales instanceof List<?> images)) {
            return multiscales;
        }
        List<@Nullable Object> changed = new ArrayList<>();
        for (Object image : images) {
            if (!(image instanceof Map<?, ?> members && members.get(DATASETS) instanceof List<?> datasets)) {
                changed.add(image);
                continue;
            }
            Map<Object, @Nullable Object> less = new LinkedHashMap<>(members);
            less.put(
                    DATASETS,
                    datasets.stream()
                            .filter(one -> !(one instanceof Map<?, ?> dataset && others.contains(dataset.get("path"))))
                            .toList());
            changed.add(less);
        }
        return changed;
    }

    @Override
    public List<String> children(String path) throws IOException {
        return super.children(path).stream()
                .filter(child -> !isHidden(NodePaths.below(path, child)))
                .toList();
    }
}
