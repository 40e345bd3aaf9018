package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.file.KeyedFile;
import dev.rechunker.io.file.SharedFile;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.hdf5.read.Links.Soft;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A read-only store with the contents of an HDF5 file. */
public final class Hdf5Store extends ReadOnlyStore implements ChunkStore.VariableLength {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final NodeReader nodes;

    private Hdf5Store(FileMetadata file) {
        this.file = file;
        this.hierarchy = new ObjectFinder(file);
        this.nodes = new NodeReader(file, hierarchy);
    }

    /**
     * {@return a store with the contents of a file}
     *
     * @throws StoreException if the file does not exist or is not an HDF5 file
     */
    public static Hdf5Store open(Path path) throws IOException {
        return open(path, false);
    }

    /**
     * {@return a store with the contents of a file}
     *
     * @param followLinks whether files outside of its directory are read if it names them
     * @throws StoreException if the file does not exist or is not an HDF5 file
     */
    public static Hdf5Store open(Path path, boolean followLinks) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + (Files.exists(path) ? " is not a file" : " does not exist"));
        }
        return open(SharedFile.open(path, followLinks));
    }

    /**
     * {@return a store with the contents of a file that is a value of a key store; closing it closes the key store,
     * which is also closed if this method fails}
     *
     * @throws StoreException if the value does not exist or is not an HDF5 file
     */
    public static Hdf5Store open(KeyStore keys, String key) throws IOException {
        FileBytes file;
        try {
            file = KeyedFile.open(keys, key);
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
        return open(file);
    }

    private static Hdf5Store open(FileBytes file) throws IOException {
        return new Hdf5Store(FileMetadata.open(file));
    }

    @Override
    public String name() {
        return file.file().name();
    }

    @Override
    public String identity() {
        return Hdf5Names.KIND + " " + file.file().place();
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return file.file().descriptor(Hdf5Names.KIND);
    }

    /** {@return the place of the node in the file, and the files that have elements of virtual datasets in it} */
    @Override
    public List<DataPlace> places(String node) throws IOException {
        Set<DataPlace> places = new LinkedHashSet<>();
        places.add(file.file().place().below(node));
        Set<Long> seen = new HashSet<>();
        Deque<String> left = new ArrayDeque<>(List.of(node));
        while (!left.isEmpty()) {
            String next = left.remove();
            for (String child : addPlaces(next, places, seen)) {
                left.add(NodePaths.below(next, child));
            }
        }
        return List.copyOf(places);
    }

    /** Adds the files that have elements of a node; {@return the names of its children, if it was not seen before} */
    private List<String> addPlaces(String node, Set<DataPlace> places, Set<Long> seen) throws IOException {
        try {
            Optional<Located> found = find(node);
            if (found.isEmpty() || !seen.add(found.get().header().address())) {
                return List.of();
            }
            if (!Dataset.is(found.get().header())) {
                return children(node);
            }
            places.addAll(FileMetadata.parse(name(node), () -> nodes.sourcePlaces(found.get())));
            return List.of();
        } catch (StoreException e) {
            return List.of(); // an error is reported when the object is opened
        }
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy()
                .withConcurrentArrays(true)
                .withRemote(file.file().isRemote());
    }

    @Override
    public Optional<Path> localDirectory() {
        return file.file().localDirectory();
    }

    private String name(String node) {
        return NodePaths.inStore(name(), node);
    }

    private Optional<Located> find(String node) throws IOException {
        ChunkStore.requirePath(node);
        return FileMetadata.parse(name(node), () -> hierarchy.find(node));
    }

    @Override
    public Optional<Node> node(String node) throws IOException {
        Optional<Located> found = find(node);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return FileMetadata.parse(name(node), () -> {
            ObjectHeader header = found.get().header();
            if (nodes.isHidden(header)) {
                return Optional.empty();
            }
            if (Dataset.is(header)) {
                return Optional.of(new ArrayNode(NodeReader.described(
                        nodes.dataset(name(node), found.get()).stored())));
            }
            if (ObjectFinder.isGroup(header)) {
                return Optional.of(new GroupNode(nodes.group(found.get()), false));
            }
            throw new StoreException("it is neither a group nor a dataset");
        });
    }

    @Override
    public List<String> omissions(String node) throws IOException {
        Optional<Located> found = find(node);
        if (found.isEmpty()) {
            return List.of();
        }
        return FileMetadata.parse(name(node), () -> nodes.omissions(found.get()));
    }

    @Override
    public List<String> layoutOmissions(String node) throws IOException {
        long block = file.getUserBlockSize();
        if (node.isEmpty()) {
            return block > 0
                    ? List.of("the user block of " + block + " bytes at the start of the file is left out")
                    : List.of();
        }
        Optional<Located> found = find(node);
        return found.isEmpty() ? List.of() : FileMetadata.parse(name(node), () -> nodes.layoutOmissions(found.get()));
    }

    @Override
    public List<String> children(String node) throws IOException {
        Optional<Located> found = find(node);
        if (found.isEmpty() || !ObjectFinder.isGroup(found.get().header())) {
            return List.of();
        }
        return FileMetadata.parse(name(node), () -> {
            List<String> children = new ArrayList<>();
            for (Map.Entry<String, Link> link :
                    hierarchy.named(found.get().header().address()).entrySet()) {
                boolean types = node.isEmpty() && link.getKey().equals(Conventions.TYPES_GROUP) && hasOnlyTypes();
                if (!types && !isHidden(NodePaths.below(node, link.getKey()), link.getValue())) {
                    children.add(link.getKey());
                }
            }
            return children;
        });
    }

    /** {@return whether a link leads, perhaps through others, to an object that is not a node} */
    private boolean isHidden(String path, Link link) throws IOException {
        if (!(link instanceof Soft)) {
            return nodes.isHidden(link);
        }
        try {
            Optional<Located> found = find(path);
            return found.isPresent()
                    && FileMetadata.parse(
                            name(path), () -> nodes.isHidden(found.get().header()));
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
    }

    /** {@return whether the group with the name for named types contains nothing else} */
    private boolean hasOnlyTypes() throws IOException {
        try {
            return node(Conventions.TYPES_GROUP).orElse(null) instanceof GroupNode
                    && children(Conventions.TYPES_GROUP).isEmpty();
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
    }

    @Override
    public ArrayReader openReader(String node) throws IOException {
        return open(node, StoredElements::type);
    }

    @Override
    public Optional<VariableLength> variableLength() {
        return Optional.of(this);
    }

    /** {@return a reader of lengths, which needs no memory for elements} */
    @Override
    public ArrayReader openLengths(String node, long most) throws IOException {
        return openReader(node);
    }

    @Override
    public ArrayReader openReader(String node, int longest, long most) throws IOException {
        return open(node, elements -> elements.type(longest));
    }

    /** Chooses the type of elements. */
    private interface TypeChoice {
        DataType of(StoredElements elements) throws IOException;
    }

    private ArrayReader open(String node, TypeChoice choice) throws IOException {
        Optional<Located> found = find(node);
        if (found.isEmpty()) {
            throw new StoreException(name(node) + " does not exist");
        }
        return FileMetadata.parse(name(node), () -> {
            ObjectHeader header = found.get().header();
            if (!Dataset.is(header) || nodes.isHidden(header)) {
                throw new StoreException("it is a group, a type, or a dimension without a variable, not an array");
            }
            ReadableDataset dataset = nodes.dataset(name(node), found.get());
            StoredDataset stored = dataset.stored();
            Optional<StoredElements> elements = stored.dataset().elements();
            if (elements.isEmpty()) {
                return dataset.open();
            }
            DataType type = choice.of(elements.get());
            return new VariableReader(stored, elements.get(), NodeReader.described(stored, elements.get(), type));
        });
    }

    @Override
    public void close() throws IOException {
        file.file().close();
    }

    @Override
    public String toString() {
        return "HDF5 " + name();
    }
}
