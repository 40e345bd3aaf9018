package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the headers of all objects of a file: those of arrays first, then those of groups. */
final class HeaderWriter {
    /** The chunk extent of pure dimensions, whose elements are never written. */
    private static final long DIMENSION_PIECE = 1 << 20;

    private final String store;
    private final PartFile file;
    private final Map<String, FileTree.Dataset> datasets = new TreeMap<>();
    private final Map<String, Long> addresses = new TreeMap<>();
    private final DimensionScales scales;

    /** The paths of pure dimensions, by the path of their group. */
    private final Map<String, List<String>> dimensions = new HashMap<>();

    private HeaderWriter(String store, PartFile file, FileTree.Group root) throws IOException {
        this.store = store;
        this.file = file;
        Set<String> groups = new HashSet<>();
        collect("", root, groups);
        Map<String, ArraySpec> specs = new TreeMap<>();
        datasets.forEach((path, dataset) -> specs.put(path, dataset.array().spec()));
        this.scales = new DimensionScales(specs, groups);
        for (Map.Entry<String, Long> dimension : scales.pureDimensions().entrySet()) {
            String path = dimension.getKey();
            datasets.put(path, dimension(dimension.getValue()));
            dimensions
                    .computeIfAbsent(NodePaths.parent(path), none -> new ArrayList<>())
                    .add(path);
        }
    }

    /** {@return the dataset of a pure dimension, in the form that netCDF writes} */
    private static FileTree.Dataset dimension(long length) throws IOException {
        Shape shape = Shape.of(length);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(DIMENSION_PIECE)), DataType.FLOAT32)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .hints(Map.of(Hdf5Names.LAYOUT_HINT, Hdf5Names.REGIONS))
                .build();
        return new FileTree.Dataset(DatasetSpec.of("a dimension", spec), new ElementStorage(MessageBytes.UNDEFINED, 0));
    }

    private void collect(String path, FileTree.Node node, Set<String> groups) {
        if (node instanceof FileTree.Dataset dataset) {
            datasets.put(path, dataset);
        } else {
            groups.add(path);
            ((FileTree.Group) node)
                    .children()
                    .forEach((name, child) -> collect(NodePaths.below(path, name), child, groups));
        }
    }

    /** Writes all headers; {@return the address of the header of the root group} */
    static long write(String store, PartFile file, FileTree.Group root) throws IOException {
        HeaderWriter headers = new HeaderWriter(store, file, root);
        GlobalHeap heap = new GlobalHeap(file);
        headers.writeDatasets(heap);
        long address = headers.write("", root, heap);
        heap.flush();
        return address;
    }

    /**
     * Writes the headers of arrays. Arrays and scales refer to each other, so all headers get an address before the
     * first one is written.
     */
    private void writeDatasets(GlobalHeap heap) throws IOException {
        for (String path : datasets.keySet()) {
            int size = header(path, TextSink.NOWHERE, any -> 0).length;
            addresses.put(path, file.allocate(size));
        }
        for (String path : datasets.keySet()) {
            file.write(address(path), ByteBuffer.wrap(header(path, heap, this::address)));
        }
    }

    private long address(String dataset) {
        return Objects.requireNonNull(addresses.get(dataset), dataset);
    }

    private byte[] header(String path, TextSink texts, DimensionScales.Addresses places) throws IOException {
        FileTree.Dataset dataset = Objects.requireNonNull(datasets.get(path), path);
        String where = NodePaths.inStore(store, path);
        HeaderBuilder header = HeaderBuilder.dataset(where, dataset.array(), dataset.storage());
        List<@Nullable String> labels =
                scales.areAxesNamed(path) ? List.of() : dataset.array().spec().dimensionNames();
        dataset.array().putAttributes(header, where, labels, texts);
        scales.put(header, where, path, places, texts);
        return header.toArray();
    }

    private long write(String path, FileTree.Group group, GlobalHeap heap) throws IOException {
        HeaderBuilder header = HeaderBuilder.group();
        for (Map.Entry<String, FileTree.Node> child : group.children().entrySet()) {
            String below = NodePaths.below(path, child.getKey());
            header.addLink(
                    child.getKey(),
                    child.getValue() instanceof FileTree.Group inner ? write(below, inner, heap) : address(below));
        }
        for (String dimension : dimensions.getOrDefault(path, List.of())) {
            header.addLink(NodePaths.leaf(dimension), address(dimension));
        }
        AttributeWriter.put(header, NodePaths.inStore(store, path), group.spec().attributes(), null, List.of(), heap);
        byte[] bytes = header.toArray();
        long address = file.allocate(bytes.length);
        file.write(address, ByteBuffer.wrap(bytes));
        return address;
    }
}
