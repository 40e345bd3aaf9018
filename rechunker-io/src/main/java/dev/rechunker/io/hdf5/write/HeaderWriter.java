package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.Scale;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the headers of all objects of a file: those of datasets first, then those of groups. */
final class HeaderWriter {
    /** The chunk extent of pure dimensions, whose elements are never written. */
    private static final long DIMENSION_PIECE = 1 << 10;

    /** The program that wrote a file of netCDF, in the form of netCDF. */
    private static final String PROVENANCE = "version=2,rechunker=1";

    private final String store;
    private final PartFile file;
    private final FileKind kind;
    private final DimensionScales scales;
    private final ScaleAttributes scaleAttributes;

    /** The datasets by their paths in the file. */
    private final Map<String, Stored> datasets = new LinkedHashMap<>();

    private final Map<String, FileTree.Group> groups = new LinkedHashMap<>();
    private final Set<String> arrays;

    /** The headers of datasets, by their paths in the file. */
    private final Map<String, Allocated> addresses = new HashMap<>();

    private final Map<String, Allocated> groupAddresses = new LinkedHashMap<>();
    private final NamedTypes types;
    private final ObjectAddresses objects;

    /** The names of dimensions without a variable, by the path of their group. */
    private final Map<String, List<String>> dimensions = new HashMap<>();

    /**
     * A dataset of the file.
     *
     * @param array the path of the array; null for a dimension without a variable
     * @param scale the dimension whose scale the dataset is; null if there is none
     */
    private record Stored(
            FileTree.Dataset dataset,
            @Nullable String array,
            @Nullable Scale scale) {}

    private HeaderWriter(String store, PartFile file, FileTree.Group root, FileKind kind, ObjectAddresses objects)
            throws IOException {
        this.store = store;
        this.file = file;
        this.kind = kind;
        this.objects = objects;
        Map<String, FileTree.Dataset> arrays = new LinkedHashMap<>();
        collect(root, arrays, groups);
        this.arrays = arrays.keySet();
        Map<String, ArraySpec> specs = new LinkedHashMap<>();
        arrays.forEach((path, dataset) -> specs.put(path, dataset.array().spec()));
        Map<String, GroupSpec> groupSpecs = new LinkedHashMap<>();
        groups.forEach((path, group) -> groupSpecs.put(path, group.spec()));
        this.scales = new DimensionScales(specs, groupSpecs, kind);
        this.scaleAttributes = new ScaleAttributes(scales);
        arrays.forEach((path, dataset) ->
                datasets.put(scales.storedPath(path), new Stored(dataset, path, scales.ofVariable(path))));
        for (Scale scale : scales.all()) {
            if (scale.variable() == null) {
                datasets.put(scale.path(), new Stored(dimension(scale), null, scale));
                dimensions
                        .computeIfAbsent(scale.group(), none -> new ArrayList<>())
                        .add(scale.name());
            }
        }
        this.types = new NamedTypes(store, kind, this::isTaken);
    }

    /** {@return whether there is an object at a path, or a dataset above it} */
    private boolean isTaken(String path) {
        boolean isTaken = groups.containsKey(path);
        for (String at = path; !at.isEmpty(); at = NodePaths.parent(at)) {
            isTaken |= datasets.containsKey(at);
        }
        return isTaken;
    }

    /** {@return the dataset of a dimension without a variable, in the form that netCDF writes} */
    private FileTree.Dataset dimension(Scale scale) throws IOException {
        Shape shape = Shape.of(scale.length());
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(DIMENSION_PIECE)), DataType.FLOAT32)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .unlimitedAxes(scale.isUnlimited() ? Set.of(0) : Set.of())
                .hints(Map.of(Hdf5Names.LAYOUT_HINT, scale.isUnlimited() ? Hdf5Names.CHUNKED : Hdf5Names.REGIONS))
                .build();
        return new FileTree.Dataset(
                DatasetSpec.of("a dimension", spec, kind), new ElementStorage(MessageBytes.UNDEFINED, 0));
    }

    /** A node and its path. */
    private record Named(String path, FileTree.Node node) {
        /** {@return the nodes in a group} */
        static List<Named> in(Named group) {
            return ((FileTree.Group) group.node)
                    .children().entrySet().stream()
                            .map(child -> new Named(NodePaths.below(group.path, child.getKey()), child.getValue()))
                            .toList();
        }
    }

    /** Finds the arrays and groups of a file, those of a group in the order in which they were added. */
    private static void collect(
            FileTree.Group root, Map<String, FileTree.Dataset> arrays, Map<String, FileTree.Group> groups) {
        Deque<Named> left = new ArrayDeque<>(List.of(new Named("", root)));
        while (!left.isEmpty()) {
            Named next = left.removeFirst();
            if (next.node instanceof FileTree.Dataset dataset) {
                DatasetSpec stored = dataset.array().stored().withTypeName(NodePaths.leaf(next.path));
                arrays.put(next.path, new FileTree.Dataset(stored, dataset.storage()));
            } else {
                groups.put(next.path, (FileTree.Group) next.node);
                left.addAll(Named.in(next));
            }
        }
    }

    /** Writes all headers; {@return the address of the header of the root group} */
    static long write(String store, PartFile file, FileTree.Group root, FileKind kind, ObjectAddresses objects)
            throws IOException {
        HeaderWriter headers = new HeaderWriter(store, file, root, kind, objects);
        GlobalHeap heap = new GlobalHeap(file);
        headers.writeTypes(root);
        headers.groups.clear();
        collect(root, new HashMap<>(), headers.groups); // also those of types
        headers.allocate();
        headers.writeDatasets(heap);
        headers.writeGroups(heap);
        heap.flush();
        return headers.groupAddress("");
    }

    /** Writes the named types of all datasets and attributes, and creates the groups that they are in. */
    private void writeTypes(FileTree.Group root) throws IOException {
        for (Map.Entry<String, Stored> stored : datasets.entrySet()) {
            DatasetSpec array = stored.getValue().dataset.array();
            Optional<String> name = array.typeName();
            if (name.isPresent()) {
                types.add(NodePaths.parent(stored.getKey()), name.get(), array.datatype(stored.getKey()));
            }
        }
        for (Map.Entry<String, Stored> stored : datasets.entrySet()) {
            header(stored.getKey(), stored.getValue(), TextSink.NOWHERE, any -> 0);
        }
        for (Map.Entry<String, FileTree.Group> group : groups.entrySet()) {
            putAttributes(HeaderBuilder.group(false), group.getKey(), group.getValue(), TextSink.NOWHERE);
        }
        types.write(this::put);
        types.addresses().keySet().forEach(path -> root.create(NodePaths.parent(path)));
    }

    /** The header of an object, which has an address before it is written, as objects refer to each other. */
    private record Allocated(long block, long address) {}

    /** Gives all headers an address. */
    private void allocate() throws IOException {
        for (Map.Entry<String, Stored> stored : datasets.entrySet()) {
            HeaderBuilder header = header(stored.getKey(), stored.getValue(), TextSink.NOWHERE, any -> 0);
            String array = stored.getValue().array;
            addresses.put(stored.getKey(), allocated(header, Optional.ofNullable(array)));
        }
        for (String path : groups.keySet()) {
            groupAddresses.put(path, allocated(header(path, TextSink.NOWHERE, any -> 0, any -> 0), Optional.of(path)));
        }
        objects.writeEmpty();
    }

    /** {@return the place of a header, for which elements may have an address already} */
    private Allocated allocated(HeaderBuilder header, Optional<String> path) throws IOException {
        long block = file.allocate(header.toArray(DenseAttributes.Place.NOWHERE).length);
        return new Allocated(block, path.flatMap(objects::find).orElse(block));
    }

    private void write(HeaderBuilder header, Allocated place) throws IOException {
        if (place.address == place.block) {
            file.write(place.block, ByteBuffer.wrap(header.toArray(this::put)));
            return;
        }
        byte[] rest = header.toContinuation(this::put);
        file.write(place.block, ByteBuffer.wrap(rest));
        file.write(place.address, ByteBuffer.wrap(header.continued(place.block, rest.length)));
    }

    private void writeDatasets(GlobalHeap heap) throws IOException {
        for (Map.Entry<String, Stored> stored : datasets.entrySet()) {
            write(
                    header(stored.getKey(), stored.getValue(), heap, this::address),
                    Objects.requireNonNull(addresses.get(stored.getKey())));
        }
    }

    private void writeGroups(GlobalHeap heap) throws IOException {
        for (Map.Entry<String, Allocated> group : groupAddresses.entrySet()) {
            write(header(group.getKey(), heap, this::address, this::groupAddress), group.getValue());
        }
    }

    private long address(String storedPath) {
        return Objects.requireNonNull(addresses.get(storedPath), storedPath).address;
    }

    private long groupAddress(String path) {
        return Objects.requireNonNull(groupAddresses.get(path), path).address;
    }

    /** {@return a sink for what the attributes of objects in a group refer to} */
    private TextSink sink(String group, TextSink texts) {
        return types.in(group, texts, text -> {
            String path = ReferencePath.resolve(group, text).orElse("?");
            Allocated object = groupAddresses.containsKey(path)
                    ? groupAddresses.get(path)
                    : arrays.contains(path) ? addresses.get(scales.storedPath(path)) : null;
            return object == null ? 0 : object.address;
        });
    }

    /** Writes bytes; {@return their address} */
    private long put(byte[] bytes) throws IOException {
        long address = file.allocate(bytes.length);
        file.write(address, ByteBuffer.wrap(bytes));
        return address;
    }

    private HeaderBuilder header(String path, Stored stored, TextSink texts, ScaleAttributes.Addresses places)
            throws IOException {
        DatasetSpec array = stored.dataset.array();
        String where = NodePaths.inStore(store, path);
        TextSink shared = sink(NodePaths.parent(path), texts);
        HeaderBuilder header = HeaderBuilder.dataset(where, array, stored.dataset.storage(), shared);
        boolean hasScales = stored.array == null || scales.areAxesNamed(stored.array);
        List<@Nullable String> labels = hasScales ? List.of() : array.spec().dimensionNames();
        array.putAttributes(header, where, labels, shared);
        if (stored.scale != null) {
            scaleAttributes.putScale(header, where, stored.scale, places);
        }
        if (stored.array != null) {
            scaleAttributes.putAxes(header, where, stored.array, places, texts);
        }
        return header;
    }

    private HeaderBuilder header(
            String path, TextSink texts, ScaleAttributes.Addresses places, ScaleAttributes.Addresses groupPlaces)
            throws IOException {
        FileTree.Group group = Objects.requireNonNull(groups.get(path));
        HeaderBuilder header =
                HeaderBuilder.group(kind.recordsOrder(group.children().keySet())
                        || kind.recordsOrder(group.spec().attributes().keySet()));
        types.addresses().forEach((type, address) -> {
            if (NodePaths.parent(type).equals(path)) {
                header.addLink(NodePaths.leaf(type), address);
            }
        });
        for (String dimension : dimensions.getOrDefault(path, List.of())) { // first, as netCDF creates them
            header.addLink(dimension, places.of(NodePaths.below(path, dimension)));
        }
        group.children().forEach((name, child) -> {
            String below = NodePaths.below(path, name);
            if (child instanceof FileTree.Group) {
                header.addLink(name, groupPlaces.of(below));
            } else {
                header.addLink(NodePaths.leaf(scales.storedPath(below)), places.of(scales.storedPath(below)));
            }
        });
        if (kind.isNetcdf() && path.isEmpty()) {
            header.addAttribute(store, Conventions.NETCDF, AttributeValue.ofFixedText(PROVENANCE));
        }
        putAttributes(header, path, group, texts);
        return header;
    }

    private void putAttributes(HeaderBuilder header, String path, FileTree.Group group, TextSink texts)
            throws IOException {
        GroupSpec spec = group.spec();
        AttributeWriter.put(
                header, NodePaths.inStore(store, path), spec.attributes(), spec.attributeTypes(), sink(path, texts));
    }
}
