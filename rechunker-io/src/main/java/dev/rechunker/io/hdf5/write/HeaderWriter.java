package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
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
    private final Map<String, Long> addresses = new HashMap<>();
    private final NamedTypes types;

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

    private HeaderWriter(String store, PartFile file, FileTree.Group root, FileKind kind) throws IOException {
        this.store = store;
        this.file = file;
        this.kind = kind;
        Map<String, FileTree.Dataset> arrays = new LinkedHashMap<>();
        collect(root, arrays, groups);
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
    static long write(String store, PartFile file, FileTree.Group root, FileKind kind) throws IOException {
        HeaderWriter headers = new HeaderWriter(store, file, root, kind);
        GlobalHeap heap = new GlobalHeap(file);
        headers.writeTypes(root);
        headers.writeDatasets(heap);
        long address = headers.writeGroups(root, heap);
        heap.flush();
        return address;
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
            header(stored.getKey(), stored.getValue(), TextSink.NOWHERE, any -> 0, DenseAttributes.Place.NOWHERE);
        }
        for (Map.Entry<String, FileTree.Group> group : groups.entrySet()) {
            putAttributes(HeaderBuilder.group(false), group.getKey(), group.getValue(), TextSink.NOWHERE);
        }
        types.write(this::put);
        types.addresses().keySet().forEach(path -> root.create(NodePaths.parent(path)));
    }

    /**
     * Writes the headers of datasets. Arrays and scales refer to each other, so all headers get an address before the
     * first one is written.
     */
    private void writeDatasets(GlobalHeap heap) throws IOException {
        for (Map.Entry<String, Stored> stored : datasets.entrySet()) {
            int size = header(
                            stored.getKey(),
                            stored.getValue(),
                            TextSink.NOWHERE,
                            any -> 0,
                            DenseAttributes.Place.NOWHERE)
                    .length;
            addresses.put(stored.getKey(), file.allocate(size));
        }
        for (Map.Entry<String, Stored> stored : datasets.entrySet()) {
            byte[] header = header(stored.getKey(), stored.getValue(), heap, this::address, this::put);
            file.write(address(stored.getKey()), ByteBuffer.wrap(header));
        }
    }

    private long address(String storedPath) {
        return Objects.requireNonNull(addresses.get(storedPath), storedPath);
    }

    /** Writes bytes; {@return their address} */
    private long put(byte[] bytes) throws IOException {
        long address = file.allocate(bytes.length);
        file.write(address, ByteBuffer.wrap(bytes));
        return address;
    }

    private byte[] header(
            String path, Stored stored, TextSink texts, ScaleAttributes.Addresses places, DenseAttributes.Place outside)
            throws IOException {
        DatasetSpec array = stored.dataset.array();
        String where = NodePaths.inStore(store, path);
        TextSink shared = types.in(NodePaths.parent(path), texts);
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
        return header.toArray(outside);
    }

    /** Writes the headers of groups, each after those of the groups in it; {@return the address of that of the root} */
    private long writeGroups(FileTree.Group root, GlobalHeap heap) throws IOException {
        List<Named> groups = new ArrayList<>();
        Deque<Named> left = new ArrayDeque<>(List.of(new Named("", root)));
        while (!left.isEmpty()) {
            Named next = left.removeLast();
            if (next.node instanceof FileTree.Group) {
                groups.add(next);
                left.addAll(Named.in(next));
            }
        }
        IdentityHashMap<FileTree.Node, Long> written = new IdentityHashMap<>();
        long address = 0;
        for (int i = groups.size() - 1; i >= 0; i--) {
            Named group = groups.get(i);
            address = write(group.path, (FileTree.Group) group.node, written, heap);
            written.put(group.node, address);
        }
        return address;
    }

    private long write(String path, FileTree.Group group, IdentityHashMap<FileTree.Node, Long> written, GlobalHeap heap)
            throws IOException {
        HeaderBuilder header =
                HeaderBuilder.group(kind.recordsOrder(group.children().keySet())
                        || kind.recordsOrder(group.spec().attributes().keySet()));
        types.addresses().forEach((type, address) -> {
            if (NodePaths.parent(type).equals(path)) {
                header.addLink(NodePaths.leaf(type), address);
            }
        });
        for (String dimension : dimensions.getOrDefault(path, List.of())) { // first, as netCDF creates them
            header.addLink(dimension, address(NodePaths.below(path, dimension)));
        }
        group.children().forEach((name, child) -> {
            Long address = written.get(child);
            String stored = scales.storedPath(NodePaths.below(path, name));
            header.addLink(
                    address == null ? NodePaths.leaf(stored) : name, address == null ? address(stored) : address);
        });
        if (kind.isNetcdf() && path.isEmpty()) {
            header.addAttribute(store, Conventions.NETCDF, AttributeValue.ofFixedText(PROVENANCE));
        }
        putAttributes(header, path, group, heap);
        return put(header.toArray(this::put));
    }

    private void putAttributes(HeaderBuilder header, String path, FileTree.Group group, TextSink texts)
            throws IOException {
        GroupSpec spec = group.spec();
        AttributeWriter.put(
                header,
                NodePaths.inStore(store, path),
                spec.attributes(),
                spec.attributeTypes(),
                types.in(path, texts));
    }
}
