package dev.rechunker.io.ome;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sources to copy, and access to the nodes that were written. */
final class Samples {
    private Samples() {}

    /** {@return the object of a JSON text with single quotation marks} */
    static Map<String, @Nullable Object> json(String text) throws StoreException {
        return JsonParser.object("sample", text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** {@return the image that n5-universe wrote: version 0.5, tczyx, two levels} */
    static Path fixture(Path directory) throws IOException {
        Path zip = directory.resolve("fixture.ome.zarr.zip");
        try (InputStream in =
                Objects.requireNonNull(Samples.class.getResourceAsStream("/zarr/ngff-ome05.ome.zarr.zip"))) {
            Files.copy(in, zip);
        }
        return zip;
    }

    /** {@return an array of uint16 with names of axes, in chunks of half its extents} */
    static ArraySpec.Builder spec(Shape shape, String... axes) {
        Shape chunk = shape.combine(shape, (a, b) -> Math.max(1, a / 2));
        return ArraySpec.builder(ChunkGrid.regular(shape, chunk), DataType.UINT16)
                .dimensionNames(List.of(axes));
    }

    static MemoryStore store() {
        return MemoryStore.builder().name("source").build();
    }

    static MemoryStore holding(String path, ArraySpec spec) throws IOException {
        MemoryStore store = store();
        Data.of(spec).write(store, path);
        return store;
    }

    static Rechunker.Job job(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source).to(target).chunks("keep").maxMem("10MB").executor(new SerialExecutor());
    }

    static Map<String, @Nullable Object> attributes(ChunkStore store, String path) throws IOException {
        return ((GroupNode) store.node(path).orElseThrow()).attributes();
    }

    static ArraySpec array(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    static byte[] elements(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    /** {@return the attributes of every group, by path} */
    static Map<String, Map<String, @Nullable Object>> groups(ChunkStore store) throws IOException {
        Map<String, Map<String, @Nullable Object>> groups = new TreeMap<>();
        collect(store, "", groups);
        return groups;
    }

    private static void collect(ChunkStore store, String path, Map<String, Map<String, @Nullable Object>> groups)
            throws IOException {
        if (store.node(path).orElseThrow() instanceof GroupNode group) {
            groups.put(path, group.attributes());
            for (String child : store.children(path)) {
                collect(store, NodePaths.below(path, child), groups);
            }
        }
    }

    /**
     * {@return a plate of version 0.4 with one well of one field, which has two levels and a label, and with attributes
     * of a converter and of viewers}
     */
    static MemoryStore plate() throws IOException {
        MemoryStore store = store();
        String axes = "'axes': [{'name': 't', 'type': 'time', 'unit': 'second'}, {'name': 'c', 'type': 'channel'},"
                + "{'name': 'z', 'type': 'space', 'unit': 'micrometer'}, {'name': 'y', 'type': 'space', 'unit':"
                + "'micrometer'}, {'name': 'x', 'type': 'space', 'unit': 'micrometer'}]";
        String level0 =
                "{'path': '0', 'coordinateTransformations': [{'type': 'scale', 'scale': [1.0, 1.0, 2.0, 0.5, 0.5]}]}";
        String level1 =
                "{'path': '1', 'coordinateTransformations': [{'type': 'scale', 'scale': [1.0, 1.0, 2.0, 1.0, 1.0]},"
                        + "{'type': 'translation', 'translation': [0.0, 0.0, 0.0, 0.25, 0.25]}]}";
        store.writeGroup(
                "",
                json("{'plate': {'version': '0.4', 'name': 'p', 'field_count': 1, 'acquisitions': [{'id': 0}],"
                        + "'columns': [{'name': '1'}], 'rows': [{'name': 'A'}],"
                        + "'wells': [{'path': 'A/1', 'rowIndex': 0, 'columnIndex': 0}]},"
                        + "'bioformats2raw.layout': 3, 'owner': {'name': 'me'}}"));
        store.writeGroup("OME", json("{'series': ['A/1/0']}"));
        store.writeGroup("A", Map.of());
        store.writeGroup("A/1", json("{'well': {'version': '0.4', 'images': [{'path': '0', 'acquisition': 0}]}}"));
        store.writeGroup(
                "A/1/0",
                json("{'multiscales': [{'version': '0.4', 'name': 'field', 'type': 'mean', " + axes + ", 'datasets': ["
                        + level0 + ", " + level1 + "]}],"
                        + "'omero': {'version': '0.4', 'channels': [{'color': 'FF0000', 'label': 'DAPI', 'active': true,"
                        + "'window': {'start': 0, 'end': 100, 'min': 0, 'max': 65535}}]},"
                        + "'pixelResolution': {'unit': 'um', 'dimensions': [0.5, 0.5, 2.0]},"
                        + "'painteraData': {'type': 'raw'}}"));
        store.writeGroup("A/1/0/labels", json("{'labels': ['cells']}"));
        store.writeGroup(
                "A/1/0/labels/cells",
                json("{'multiscales': [{'version': '0.4', " + axes + ", 'datasets': [" + level0 + "]}],"
                        + "'image-label': {'version': '0.4', 'colors': [{'label-value': 1, 'rgba': [255, 0, 0, 255]}],"
                        + "'source': {'image': '../../'}}}"));
        Data.of(spec(Shape.of(2, 1, 4, 12, 10)).build()).write(store, "A/1/0/0");
        Data.of(spec(Shape.of(2, 1, 4, 6, 5)).build(), 1).write(store, "A/1/0/1");
        Data.of(spec(Shape.of(2, 1, 4, 12, 10)).build(), 2).write(store, "A/1/0/labels/cells/0");
        return store;
    }
}
