package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
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

/** An HDF5 file, to be read. */
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
     * {@return what is in a file}
     *
     * @throws StoreException if there is no such file, or it is not HDF5
     */
    public static Hdf5Store open(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + (Files.exists(path) ? " is not a file" : " does not exist"));
        }
        return open(SharedFile.open(path));
    }

    /**
     * {@return what is in a file that is a value of a key store; closes the key store with it, or if it is refused}
     *
     * @throws StoreException if there is no such value, or it is not HDF5
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
                return Optional.of(new GroupNode(conventions.user(attributes), false));
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
                omitted.add(
                        "the attribute \"" + attribute + "\" is of a type that plain data cannot say, and is left out");
            }
            Map<String, String> enumerated = attributes.enumerated();
            if (Dataset.is(header)) {
                omitted.addAll(cutOff(found.get(), attributes));
                ByteBuffer type = Dataset.datatype(file, header);
                // netCDF's fill value is of the dataset's own type, whose names are told by the dataset.
                ElementType.names(type).ifPresent(names -> enumerated.values().removeIf(names::equals));
                if (ElementType.classOf(type) == ElementType.COMPOUND) {
                    omitted.addAll(CompoundFields.omissions(type));
                }
            }
            enumerated
                    .keySet()
                    .forEach(attribute ->
                            omitted.add("the names of values in the attribute \"" + attribute + "\" are left out"));
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

    private List<String> cutOff(Located dataset, ObjectAttributes attributes) throws IOException {
        try {
            return FileMetadata.parse("", () -> conventions.cutOff(dataset, attributes));
        } catch (StoreException e) {
            return List.of(); // of a scale, or of another array that uses it: named when that is asked for
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

    /** {@return whether what has the name of the group of named types is one, with nothing else in it} */
    private boolean hasOnlyTypes() throws IOException {
        try {
            return node(Conventions.TYPES_GROUP).orElse(null) instanceof GroupNode
                    && children(Conventions.TYPES_GROUP).isEmpty();
        } catch (StoreException e) {
            return false; // named when it is asked for
        }
    }

    /** {@return whether what a link leads to is no node: a named type, or nothing but a dimension} */
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
            return false; // named when it is asked for
        }
    }

    private boolean isOfType(Link link) throws IOException {
        try {
            return link instanceof Hard hard
                    && FileMetadata.parse("", () -> isType(ObjectHeader.read(file, hard.address())));
        } catch (StoreException e) {
            return false; // named when it is asked for
        }
    }

    private StoredDataset stored(String node, Located located) throws IOException {
        Dataset dataset = Dataset.read(file, located.header());
        ObjectAttributes attributes = ObjectAttributes.read(file, located.header());
        Map<String, @Nullable Object> user = conventions.user(attributes);
        List<@Nullable String> names =
                conventions.dimensionNames(located, attributes, dataset.chunks().rank());
        ArraySpec spec = ArraySpec.builder(dataset.chunks(), dataset.type().type())
                .byteOrder(dataset.type().order())
                .fillValue(dataset.fill())
                .codecs(dataset.filters().codecs())
                .dimensionNames(names)
                .attributes(user)
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
