package dev.rechunker.io.hdf5;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the headers of all objects of a file, those of arrays first. */
final class H5Headers {
    private final String store;
    private final H5File file;
    private final Map<String, H5Tree.Dataset> datasets = new TreeMap<>();
    private final Map<String, Long> addresses = new TreeMap<>();
    private final H5Scales scales;

    private H5Headers(String store, H5File file, H5Tree.Group root) {
        this.store = store;
        this.file = file;
        collect("", root);
        Map<String, ArraySpec> specs = new TreeMap<>();
        datasets.forEach((path, dataset) -> specs.put(path, dataset.array().spec()));
        this.scales = new H5Scales(specs);
    }

    private void collect(String path, H5Tree.Node node) {
        if (node instanceof H5Tree.Dataset dataset) {
            datasets.put(path, dataset);
        } else {
            ((H5Tree.Group) node).children().forEach((name, child) -> collect(below(path, name), child));
        }
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    /** {@return the address of the root's header, with everything below it written} */
    static long write(String store, H5File file, H5Tree.Group root) throws IOException {
        H5Headers headers = new H5Headers(store, file, root);
        H5Heap heap = new H5Heap(file);
        headers.writeDatasets(heap);
        long address = headers.write("", root, heap);
        heap.flush();
        return address;
    }

    /** Arrays refer to their scales and scales to their arrays, so all have an address before the first is written. */
    private void writeDatasets(H5Heap heap) throws IOException {
        for (String path : datasets.keySet()) {
            int size = header(path, H5Texts.NOWHERE, any -> 0).length;
            addresses.put(path, file.allocate(size));
        }
        for (String path : datasets.keySet()) {
            file.write(address(path), ByteBuffer.wrap(header(path, heap, this::address)));
        }
    }

    private long address(String dataset) {
        return Objects.requireNonNull(addresses.get(dataset), dataset);
    }

    private byte[] header(String path, H5Texts texts, H5Scales.Addresses places) throws IOException {
        H5Tree.Dataset dataset = Objects.requireNonNull(datasets.get(path), path);
        String where = H5Tree.name(store, path);
        H5ObjectHeader header = H5ObjectHeader.dataset(where, dataset.array(), dataset.storage());
        List<@Nullable String> labels =
                scales.nameAxesOf(path) ? List.of() : dataset.array().spec().dimensionNames();
        dataset.array().putAttributes(header, where, labels, texts);
        scales.put(header, where, path, places, texts);
        return header.toArray();
    }

    private long write(String path, H5Tree.Group group, H5Heap heap) throws IOException {
        H5ObjectHeader header = H5ObjectHeader.group();
        for (Map.Entry<String, H5Tree.Node> child : group.children().entrySet()) {
            String below = below(path, child.getKey());
            header.link(
                    child.getKey(),
                    child.getValue() instanceof H5Tree.Group inner ? write(below, inner, heap) : address(below));
        }
        H5Attributes.put(header, H5Tree.name(store, path), group.attributes(), List.of(), heap);
        byte[] bytes = header.toArray();
        long address = file.allocate(bytes.length);
        file.write(address, ByteBuffer.wrap(bytes));
        return address;
    }
}
