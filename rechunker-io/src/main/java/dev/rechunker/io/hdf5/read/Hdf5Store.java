package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A read-only store with the contents of an HDF5 file. */
public final class Hdf5Store extends ReadOnlyStore {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final ConventionReader conventions;

    private Hdf5Store(FileMetadata file) {
        this.file = file;
        this.hierarchy = new ObjectFinder(file);
        this.conventions = new ConventionReader(file, hierarchy);
    }

    /**
     * {@return a store with the contents of a file}
     *
     * @throws StoreException if the file does not exist or is not an HDF5 file
     */
    public static Hdf5Store open(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + (Files.exists(path) ? " is not a file" : " does not exist"));
        }
        return open(SharedFile.open(path));
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
        return file.file().descriptor();
    }

    @Override
    public List<DataPlace> places(String node) {
        return List.of(file.file().place().below(node));
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(file.file().isRemote());
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
            if (Dataset.is(header)) {
                return Optional.of(new ArrayNode(stored(node, found.get()).spec()));
            }
            if (ObjectFinder.isGroup(header)) {
                ObjectAttributes attributes = ObjectAttributes.read(file, header);
                GroupSpec group = GroupSpec.of(conventions.userAttributes(attributes));
                return Optional.of(new GroupNode(group.withAttributeTypes(attributes.types()), false));
            }
            if (isType(header)) {
                return Optional.empty();
            }
            throw new StoreException("it is neither a group nor a dataset");
        });
    }

    private static boolean isType(ObjectHeader header) {
        return header.has(ObjectHeader.DATATYPE) && !header.has(ObjectHeader.DATASPACE);
    }

    @Override
    public List<String> omissions(String node) throws IOException {
        Optional<Located> found = find(node);
        if (found.isEmpty()) {
            return List.of();
        }
        return FileMetadata.parse(name(node), () -> {
            ObjectHeader header = found.get().header();
            List<String> omitted = new ArrayList<>();
            ObjectAttributes attributes = ObjectAttributes.read(file, header);
            for (String attribute : ConventionReader.omitted(attributes)) {
                omitted.add("the attribute \"" + attribute
                        + "\" has a type that cannot be represented as plain data, and is left out");
            }
            if (Dataset.is(header)) {
                omitted.addAll(missingElements(found.get(), attributes));
                ByteBuffer type = Dataset.datatype(file, header);
                if (ElementType.classOf(type) == ElementType.COMPOUND) {
                    omitted.addAll(CompoundFields.omissions(type));
                }
            }
            if (ObjectFinder.isGroup(header)) {
                Links links = hierarchy.links(header);
                links.unnamed().forEach(link -> omitted.add(link + ", is left out"));
                for (Map.Entry<String, Link> link : links.byName().entrySet()) {
                    if (isOfType(link.getValue())) {
                        omitted.add("the named type \"" + link.getKey() + "\" is left out");
                    }
                }
            }
            return omitted;
        });
    }

    private List<String> missingElements(Located dataset, ObjectAttributes attributes) throws IOException {
        try {
            return FileMetadata.parse("", () -> conventions.missingElements(dataset, attributes));
        } catch (StoreException e) {
            return List.of(); // an error of a scale or another array that uses it is reported when that is opened
        }
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
                    hierarchy.links(found.get().header()).byName().entrySet()) {
                boolean types = node.isEmpty() && link.getKey().equals(Conventions.TYPES_GROUP) && hasOnlyTypes();
                if (!types && !isHidden(link.getValue())) {
                    children.add(link.getKey());
                }
            }
            return children;
        });
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

    /** {@return whether the target of a link is not a node: a named type, or a dimension without a variable} */
    private boolean isHidden(Link link) throws IOException {
        if (isOfType(link)) {
            return true;
        }
        try {
            return link instanceof Hard hard
                    && FileMetadata.parse("", () -> {
                        ObjectHeader header = ObjectHeader.read(file, hard.address());
                        return Dataset.is(header)
                                && ConventionReader.isPureDimension(ObjectAttributes.read(file, header));
                    });
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
    }

    private boolean isOfType(Link link) throws IOException {
        try {
            return link instanceof Hard hard
                    && FileMetadata.parse("", () -> isType(ObjectHeader.read(file, hard.address())));
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
    }

    private StoredDataset stored(String node, Located located) throws IOException {
        Dataset dataset = Dataset.read(file, located.header());
        ObjectAttributes attributes = ObjectAttributes.read(file, located.header());
        Map<String, @Nullable Object> user = conventions.userAttributes(attributes);
        List<@Nullable String> names =
                conventions.dimensionNames(located, attributes, dataset.chunks().rank());
        ArraySpec spec = ArraySpec.builder(dataset.chunks(), dataset.type().type())
                .byteOrder(dataset.type().order())
                .fillValue(dataset.fill())
                .codecs(dataset.filters().codecs())
                .dimensionNames(names)
                .attributes(user)
                .attributeTypes(attributes.types())
                .hints(hints(dataset, attributes, conventions.isNetcdf()))
                .build();
        return new StoredDataset(name(node), file, dataset, spec);
    }

    private static Map<String, String> hints(Dataset dataset, ObjectAttributes attributes, boolean isNetcdf)
            throws StoreException {
        Map<String, String> hints = new LinkedHashMap<>();
        if (isNetcdf && dataset.chunks().rank() == 0) {
            hints.put(ArraySpec.NO_AXES_HINT, "");
        }
        hints.put(
                Hdf5Names.LAYOUT_HINT,
                dataset.layout() instanceof StoredLayout.Chunks ? Hdf5Names.CHUNKED : Hdf5Names.CONTIGUOUS);
        hints.putAll(dataset.type().hints());
        List<String> omitted = ConventionReader.omitted(attributes);
        if (!omitted.isEmpty()) {
            hints.put(Hdf5Names.OMITTED_HINT, Json.compact(omitted));
        }
        return hints;
    }

    @Override
    public ArrayReader openReader(String node) throws IOException {
        Optional<Located> found = find(node);
        if (found.isEmpty() || !Dataset.is(found.get().header())) {
            throw new StoreException(
                    name(node) + (found.isPresent() ? " is a group or a type, not an array" : " does not exist"));
        }
        return FileMetadata.parse(name(node), () -> new Hdf5Reader(stored(node, found.get())));
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
