package dev.rechunker.io.ome;

import static dev.rechunker.io.ome.Samples.array;
import static dev.rechunker.io.ome.Samples.attributes;
import static dev.rechunker.io.ome.Samples.elements;
import static dev.rechunker.io.ome.Samples.holding;
import static dev.rechunker.io.ome.Samples.job;
import static dev.rechunker.io.ome.Samples.json;
import static dev.rechunker.io.ome.Samples.spec;
import static dev.rechunker.io.ome.Samples.store;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** New images of OME-Zarr say how viewers show their channels. */
class ContrastTest {
    @TempDir
    Path temporary;

    private Path out(String name) {
        return temporary.resolve(name);
    }

    private static Map<String, @Nullable Object> omero(ChunkStore store, String path) throws IOException {
        Map<String, @Nullable Object> attributes = attributes(store, path);
        Map<String, @Nullable Object> ome = Metadata.object(attributes.get("ome"));
        return Metadata.object((ome.isEmpty() ? attributes : ome).get("omero"));
    }

    private static List<?> channels(ChunkStore store, String path) throws IOException {
        return omero(store, path).get("channels") instanceof List<?> list ? list : List.of();
    }

    private static String windows(ChunkStore store, String path) throws IOException {
        List<String> windows = new ArrayList<>();
        for (Object channel : channels(store, path)) {
            windows.add(Json.compact(Metadata.object(channel).get("window")).replace("\"", ""));
        }
        return String.join(" ", windows);
    }

    /** {@return a store with an array of numbers, little-endian, in C order} */
    private static MemoryStore of(ArraySpec spec, double... values) throws IOException {
        int size = spec.dataType().itemSize();
        ByteBuffer elements = ByteBuffer.allocate(values.length * size).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            switch (spec.dataType().name()) {
                case "uint8", "int8" -> elements.put((byte) value);
                case "uint16", "int16" -> elements.putShort((short) (int) value);
                case "int32" -> elements.putInt((int) value);
                case "float32" -> elements.putFloat((float) value);
                default -> elements.putDouble(value);
            }
        }
        MemoryStore store = store();
        store.put("", spec, elements.array());
        return store;
    }

    private static ArraySpec plane(DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(2, 4), Shape.of(1, 4)), type)
                .dimensionNames(List.of("y", "x"))
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "uint8,   '5 6 7 8 9 10 11 12', '{min:0,max:255,start:5,end:12}'",
        "int8,    '-5 6 7 8 9 10 11 12', '{min:-128,max:127,start:-5,end:12}'",
        "uint16,  '5 6 7 8 9 10 11 60000', '{min:0,max:65535,start:5,end:60000}'",
        "int16,   '-5 6 7 8 9 10 11 12', '{min:-32768,max:32767,start:-5,end:12}'",
        "int32,   '-70000 6 7 8 9 10 11 90000', '{min:-70000,max:90000,start:-70000,end:90000}'",
        "float32, '0.5 0.25 NaN Infinity 1 1 1 1', '{min:0.25,max:1.0,start:0.25,end:1.0}'",
        "float64, 'NaN NaN NaN NaN NaN NaN NaN NaN', '{min:0.0,max:1.0,start:0.0,end:1.0}'",
        "uint8,   '7 7 7 7 7 7 7 7', '{min:0,max:255,start:7,end:8}'",
        "uint8,   '255 255 255 255 255 255 255 255', '{min:0,max:256,start:255,end:256}'",
    })
    void theRangeOfValuesIsKnown(String type, String values, String window) throws Exception {
        DataType dataType = List.of(
                        DataType.UINT8,
                        DataType.INT8,
                        DataType.UINT16,
                        DataType.INT16,
                        DataType.INT32,
                        DataType.FLOAT32,
                        DataType.FLOAT64)
                .stream()
                .filter(each -> each.name().equals(type))
                .findFirst()
                .orElseThrow();
        double[] numbers = Arrays.stream(values.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        job(of(plane(dataType), numbers), OmeZarr.create(out("o"))).execute();
        assertEquals(window, windows(Zarr.open(out("o")), ""));
    }

    @Test
    void missingElementsDoNotCount() throws Exception {
        ArraySpec spec = plane(DataType.INT16).toBuilder()
                .missingValue(FillValue.of(new byte[] {-1, -1}))
                .build();
        job(of(spec, -1, -1, 3, 4, 5, 6, -1, 7), OmeZarr.create(out("o"))).execute();
        assertEquals("{min:-32768,max:32767,start:3,end:7}", windows(Zarr.open(out("o")), ""));
    }

    /** Exact for few elements: the percentiles of each channel of the smallest level, whatever the chunks. */
    @ParameterizedTest
    @CsvSource({
        "'1,1,4,16,16', false, false",
        "'1,2,4,16,16', false, false",
        "'2,3,4,16,8', false, true",
        "'1,1,4,16,16', true, false"
    })
    void eachChannelHasItsContrast(String chunks, boolean sharded, boolean compressed) throws Exception {
        ArraySpec spec =
                spec(Shape.of(2, 3, 8, 32, 32), "t", "c", "z", "y", "x").build();
        MemoryStore source = holding("", spec);
        Rechunker.Job job = Rechunker.from(source)
                .to(OmeZarr.create(out("o")))
                .chunks(chunks)
                .maxMem("10MB")
                .codec(compressed ? "zstd" : "none")
                .levels(Levels.auto().count(2));
        (sharded ? job.shards("1,1,8,32,32") : job).execute();
        ChunkStore written = Zarr.open(out("o"));
        ArraySpec smallest = array(written, "1");
        assertEquals(Shape.of(2, 3, 4, 16, 16), smallest.shape());
        ByteBuffer level = ByteBuffer.wrap(elements(written, "1")).order(smallest.byteOrder());
        int plane = 4 * 16 * 16;
        List<String> expected = new ArrayList<>();
        for (int channel = 0; channel < 3; channel++) {
            int[] values = new int[2 * plane];
            for (int i = 0; i < values.length; i++) {
                values[i] = level.getShort(2 * ((i / plane * 3 + channel) * plane + i % plane)) & 0xffff;
            }
            Arrays.sort(values);
            int last = values.length - 1;
            expected.add("{min:0,max:65535,start:" + values[(int) (0.001 * last)] + ",end:"
                    + values[(int) Math.ceil(0.999 * last)] + "}");
        }
        assertEquals(String.join(" ", expected), windows(written, ""));
        assertEquals(
                "FF0000 00FF00 0000FF",
                String.join(
                        " ",
                        channels(written, "").stream()
                                .map(channel ->
                                        String.valueOf(Metadata.object(channel).get("color")))
                                .toList()));
        assertEquals(
                "{defaultT=0, defaultZ=4, model=color}",
                String.valueOf(omero(written, "").get("rdefs")));
    }

    /** A sample of a large array is near to the percentiles, and the same for each run. */
    @Test
    void aSampleOfALargeArrayIsEnough() throws Exception {
        Shape shape = Shape.of(40, 400, 400);
        double[] values = new double[(int) shape.elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i * 7919L) % 10007; // evenly spread over 0 to 10006
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(5, 40, 40)), DataType.UINT16)
                .dimensionNames(List.of("z", "y", "x"))
                .codecs(List.of(CodecSpec.of("gzip")))
                .build();
        MemoryStore source = of(spec, values);
        for (String name : List.of("a", "b")) {
            job(source, OmeZarr.create(out(name))).execute();
        }
        ChunkStore written = Zarr.open(out("a"));
        assertEquals(windows(written, ""), windows(Zarr.open(out("b")), ""));
        try (ArrayReader reader = written.openReader("0")) {
            Contrast.Window window = Contrast.of(reader, -1, 1).get(0);
            assertEquals(10, window.start(), 5);
            assertEquals(9996, window.end(), 5);
        }
    }

    @Test
    void labelsAndWhatIsNoNumberHaveNone() throws Exception {
        MemoryStore source = store();
        source.writeGroup("labels", Map.of());
        Data.of(spec(Shape.of(8, 8), "y", "x").build()).write(source, "labels/cells");
        Data.of(spec(Shape.of(8, 8), "y", "x").dataType(DataType.BOOL).build()).write(source, "mask");
        Data.of(spec(Shape.of(101, 8, 8), "c", "y", "x").build()).write(source, "spectrum");
        job(source, OmeZarr.create(out("o"))).execute();
        ChunkStore written = Zarr.open(out("o"));
        assertEquals(Map.of(), omero(written, "labels/cells"));
        assertEquals(Map.of(), omero(written, "mask"));
        assertEquals(Map.of(), omero(written, "spectrum"));
    }

    /** What a source says of its channels is kept; windows that it lacks are found. */
    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void windowsAreCompleted(OmeVersion version) throws Exception {
        String image = "'multiscales': [{'axes': [{'name': 'c', 'type': 'channel'}, {'name': 'y', 'type': 'space'},"
                + " {'name': 'x', 'type': 'space'}], 'datasets': [{'path': '0', 'coordinateTransformations': [{'type':"
                + " 'scale', 'scale': [1, 1, 1]}]}]}]";
        String channels = "{'color': '123456', 'window': {'start': 20, 'end': 70000}}, {'label': 'b'}";
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(2, 1, 2), Shape.of(2, 1, 2)), DataType.UINT16)
                .build();
        MemoryStore source = store();
        source.writeGroup(
                "", json("{'ome': {'version': '0.5', " + image + ", 'omero': {'channels': [" + channels + "]}}}"));
        source.put("0", spec, new byte[] {1, 0, 2, 0, 3, 0, 4, 0});
        job(source, OmeZarr.create(out("o"), version)).execute();
        ChunkStore written = Zarr.open(out("o"));
        assertEquals("{start:20,end:70000,min:0,max:70000} {min:0,max:65535,start:3,end:4}", windows(written, ""));
        assertTrue(String.valueOf(omero(written, "")).contains("color=123456"));
        // Metadata without channels are kept.
        source.writeGroup("", json("{'ome': {'version': '0.5', " + image + "}}"));
        job(source, OmeZarr.create(out("p"), version)).execute();
        assertFalse(omero(Zarr.open(out("p")), "").containsKey("channels"));
    }
}
