package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.testing.Data;
import io.jhdf.HdfFile;
import io.jhdf.api.Dataset;
import io.jhdf.api.Node;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that jhdf reads our files. */
class JhdfReadsTest {
    @TempDir
    Path temporary;

    private ManifestFile written;

    @BeforeEach
    void begin() throws IOException {
        written = new ManifestFile(temporary);
    }

    @Test
    void elements() throws IOException {
        for (DataType type : List.of(DataType.INT8, DataType.UINT16, DataType.INT32, DataType.UINT64)) {
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                String path = "types/" + type + order;
                written.put(path, ManifestFile.cube(type).byteOrder(order).codecs(CodecSpec.parse("shuffle+gzip")));
                written.put(
                        "contiguous/" + type + order,
                        ManifestFile.cube(type)
                                .byteOrder(order)
                                .hints(Map.of(Hdf5Names.LAYOUT_HINT, Hdf5Names.REGIONS)));
            }
        }
        written.put("opaque", ManifestFile.cube(DataType.opaque(7, "")));
        written.put("bool", ManifestFile.cube(DataType.BOOL));
        written.put("many", ArraySpec.builder(ChunkGrid.regular(Shape.of(90, 100), Shape.of(1, 1)), DataType.INT16));
        written.finish();
        try (HdfFile file = new HdfFile(written.file())) {
            for (Map.Entry<String, Data> array : written.data().entrySet()) {
                Dataset dataset = file.getDatasetByPath(array.getKey());
                ArraySpec spec = array.getValue().spec();
                assertArrayEquals(spec.shape().toArray(), dataset.getDimensionsAsLong(), array.getKey());
                switch (spec.dataType().kind()) {
                    case INT, UINT -> assertSame(array.getValue(), dataset.getDataFlat());
                    default -> assertEquals(spec.shape().elements(), dataset.getSize());
                }
            }
        }
    }

    /** Compares numbers modulo 2 to the power of their bits. */
    private static void assertSame(Data data, Object flat) {
        int size = data.spec().dataType().itemSize();
        ByteBuffer expected = ByteBuffer.wrap(data.elements()).order(data.spec().byteOrder());
        for (int i = 0; expected.hasRemaining(); i++) {
            long number = ((Number) java.lang.reflect.Array.get(flat, i)).longValue();
            switch (size) {
                case 1 -> assertEquals(expected.get(), (byte) number);
                case 2 -> assertEquals(expected.getShort(), (short) number);
                case 4 -> assertEquals(expected.getInt(), (int) number);
                default -> assertEquals(expected.getLong(), number);
            }
        }
    }

    @Test
    void attributes() throws IOException {
        Map<String, Object> attributes = Map.of(
                "int",
                7L,
                "byte",
                (byte) 3,
                "double",
                0.5,
                "text",
                "caf\u00e9 \ud83d\udd2c",
                "empty",
                "",
                "texts",
                List.of("a", "\u03bc"),
                "ints",
                List.of(1L, 2L),
                "table",
                List.of(List.of(1.5, 2.5), List.of(3.5, 4.5)),
                "map",
                Map.of("a", 1L));
        written.put(
                "a/b",
                ManifestFile.cube(DataType.INT8)
                        .attributes(attributes)
                        .dimensionNames(Arrays.asList("z", "\u03bb", "x")));
        written.group("a", attributes);
        written.finish();
        try (HdfFile file = new HdfFile(written.file())) {
            for (Node node : List.of(file.getByPath("a"), file.getByPath("a/b"))) {
                assertEquals(7L, value(node, "int"));
                assertEquals((byte) 3, value(node, "byte"));
                assertEquals(0.5, value(node, "double"));
                assertEquals("caf\u00e9 \ud83d\udd2c", value(node, "text"));
                assertEquals("", value(node, "empty"));
                assertArrayEquals(new String[] {"a", "\u03bc"}, (String[]) value(node, "texts"));
                assertArrayEquals(new long[] {1, 2}, (long[]) value(node, "ints"));
                assertEquals("{\"map\":{\"a\":1}}", value(node, "N5_JSON_ROOT"));
            }
            assertArrayEquals(
                    new String[] {"z", "\u03bb", "x"}, (String[]) value(file.getByPath("a/b"), "DIMENSION_LABELS"));
        }
    }

    private static Object value(Node node, String name) {
        return Objects.requireNonNull(node.getAttribute(name), name).getData();
    }
}
