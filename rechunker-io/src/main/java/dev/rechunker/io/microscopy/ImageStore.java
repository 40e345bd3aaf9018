package dev.rechunker.io.microscopy;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A view of a store as images, each a group with OME metadata and with the levels {@code 0}, {@code 1} and so on. What
 * else the store has is not listed, but found at its own path.
 */
final class ImageStore extends ReadOnlyStore {
    private static final Pattern OWN = Pattern.compile("([0-9]+(/.*)?)?");

    private final ChunkStore source;
    private final String root;
    private final Optional<StoreDescriptor> descriptor;
    private final Loader loader;
    private @Nullable Contents loaded;

    /** Finds the images. */
    @FunctionalInterface
    interface Loader {
        /**
         * {@return the images}
         *
         * @throws StoreException if the store does not have what its format requires
         */
        Contents load() throws IOException;
    }

    /** The nodes of the view, in order, and what it does not show. */
    static final class Contents {
        private final Map<String, Map<String, @Nullable Object>> groups = new LinkedHashMap<>();
        private final Map<String, StackedLevel> levels = new LinkedHashMap<>();
        private final List<String> omissions = new ArrayList<>();

        /** Adds a group with attributes. */
        void add(String path, Map<String, @Nullable Object> attributes) {
            groups.put(path, attributes);
        }

        /** Adds a level. */
        void add(String path, StackedLevel level) {
            levels.put(path, level);
        }

        /** Adds a sentence about what is not shown. */
        void omit(String sentence) {
            omissions.add(sentence);
        }
    }

    /**
     * Creates it.
     *
     * @param source the store, which is closed with the view
     * @param root the group of the store that has the images
     * @param descriptor describes the view to another process; empty if that is not possible
     */
    ImageStore(ChunkStore source, String root, Optional<StoreDescriptor> descriptor, Loader loader) {
        this.source = source;
        this.root = root;
        this.descriptor = descriptor;
        this.loader = loader;
    }

    private synchronized Contents contents() throws IOException {
        Contents contents = loaded;
        if (contents == null) {
            contents = loader.load();
            loaded = contents;
        }
        return contents;
    }

    /** {@return whether a path is one of the view, not one of the store} */
    private static boolean isOwn(String path) {
        ChunkStore.requirePath(path);
        return OWN.matcher(path).matches();
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        if (!isOwn(path)) {
            return source.node(path);
        }
        Map<String, @Nullable Object> group = contents().groups.get(path);
        if (group != null) {
            return Optional.of(new GroupNode(GroupSpec.of(group), false));
        }
        StackedLevel level = contents().levels.get(path);
        return level == null ? Optional.empty() : Optional.of(new ArrayNode(level.spec()));
    }

    @Override
    public List<String> children(String path) throws IOException {
        if (!isOwn(path)) {
            return source.children(path);
        }
        List<String> children = new ArrayList<>();
        for (String node : contents().groups.keySet()) {
            addChild(children, path, node);
        }
        for (String node : contents().levels.keySet()) {
            addChild(children, path, node);
        }
        return children;
    }

    private static void addChild(List<String> children, String parent, String node) {
        if (!node.isEmpty() && NodePaths.parent(node).equals(parent)) {
            children.add(NodePaths.leaf(node));
        }
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        if (!isOwn(path)) {
            return source.openReader(path);
        }
        StackedLevel level = contents().levels.get(path);
        if (level == null) {
            throw new StoreException("there is no array at " + at(path));
        }
        return level.open();
    }

    /** {@return the ability of the store, which the view needs for paths of the store only} */
    @Override
    public Optional<VariableLength> variableLength() {
        return source.variableLength();
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        if (!isOwn(path)) {
            return source.omissions(path);
        }
        StackedLevel level = contents().levels.get(path);
        if (level != null) {
            return level.omissions();
        }
        return path.isEmpty() ? List.copyOf(contents().omissions) : List.of();
    }

    @Override
    public List<String> layoutOmissions(String path) throws IOException {
        return isOwn(path) ? List.of() : source.layoutOmissions(path);
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return source.places(isOwn(path) ? root : path);
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(source.capabilities().remote());
    }

    @Override
    public Optional<Path> localDirectory() {
        return source.localDirectory();
    }

    @Override
    public String name() {
        return NodePaths.inStore(source.name(), root);
    }

    @Override
    public String identity() {
        return source.identity() + (root.isEmpty() ? "" : " " + root);
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return descriptor;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    /** {@return the name} */
    @Override
    public String toString() {
        return source + " as images";
    }
}
