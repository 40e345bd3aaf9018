package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regions by the values of coordinates. */
class RegionValuesTest {
    private static final Map<String, Object> DAYS = Map.of("units", "days since 2000-01-01");

    private static ArraySpec.Builder spec(DataType type, String... axes) {
        Shape shape = Shape.of(List.of(axes).stream().mapToLong(axis -> 2).toArray());
        return ArraySpec.builder(ChunkGrid.regular(shape, shape), type).dimensionNames(List.of(axes));
    }

    private static void coordinate(
            MemoryStore store, String path, DataType type, Map<String, Object> meaning, double... values)
            throws IOException {
        String axis = path.substring(path.lastIndexOf('/') + 1);
        ArraySpec spec = spec(type, axis)
                .chunks(ChunkGrid.regular(Shape.of(values.length), Shape.of(3)))
                .attributes(meaning)
                .build();
        write(store, path, spec, values);
    }

    private static void write(MemoryStore store, String path, ArraySpec spec, double... values) throws IOException {
        Data.of(spec, (position, element) -> {
                    ByteBuffer to = ByteBuffer.wrap(element).order(spec.byteOrder());
                    double value = values[(int) position];
                    switch (spec.dataType().name()) {
                        case "float64" -> to.putDouble(value);
                        case "float32" -> to.putFloat((float) value);
                        case "int64" -> to.putLong((long) value);
                        case "int32" -> to.putInt((int) value);
                        case "int16" -> to.putShort((short) value);
                        default -> to.put((byte) value);
                    }
                })
                .write(store, path);
    }

    private static MemoryStore copied(StoreLocation source, String region) throws Exception {
        MemoryStore target = new MemoryStore();
        Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .region(region)
                .verify()
                .execute();
        return target;
    }

    private static void refused(String message, StoreLocation source, String region) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> copied(source, region));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }

    private static Shape shape(ChunkStore store, String path) throws IOException {
        return ((ChunkStore.ArrayNode) store.node(path).orElseThrow()).spec().shape();
    }

    private static MemoryStore sea() throws IOException {
        MemoryStore store = MemoryStore.builder().name("sea").build();
        store.writeGroup("", Map.of());
        coordinate(store, "time", DataType.INT32, DAYS, 0, 1, 2, 30, 31, 32, 60, 61);
        coordinate(store, "lat", DataType.FLOAT32, Map.of(), 60.1, 40.1, 20.1, 0.1);
        coordinate(store, "level", DataType.INT16, Map.of(), 200, 500, 850, 1000);
        Shape shape = Shape.of(8, 4, 4);
        Data.of(ArraySpec.builder(ChunkGrid.regular(shape, shape), DataType.INT32)
                        .dimensionNames(List.of("time", "lat", "level"))
                        .build())
                .write(store, "g/ssh");
        Shape bounds = Shape.of(8, 2);
        Data.of(ArraySpec.builder(ChunkGrid.regular(bounds, bounds), DataType.INT32)
                        .dimensionNames(List.of("time", "nv"))
                        .build())
                .write(store, "time_bnds");
        return store;
    }

    /** What is selected, as the first index and the end. */
    @ParameterizedTest
    @CsvSource({
        "time=2000-01-01:2000-01-31, 0, 4",
        "time=2000-01:2000-01, 0, 4",
        "time=2000-02:, 4, 8",
        "time=:2000-01-02, 0, 2",
        "time=2000-01-31T00:00:2000-02-01T00:00, 3, 5",
        "time=2000-01-31T00:2000-01-31T01, 3, 4",
        "time=@2000:@2000, 0, 8",
        "time=2000-02-10:2000-01-03, 2, 6",
        "lat=40.1:60.1, 0, 2",
        "lat=60.1:40.1, 0, 2",
        "lat=@0:@41, 1, 4",
        "lat=-1e1:2.5e1, 2, 4",
        "level=@500:@850, 1, 3",
        "level=@501:, 2, 4",
        "level=:499.5, 0, 1",
        "level=1:3, 1, 3",
    })
    void valuesSelectElements(String region, long from, long to) throws Exception {
        MemoryStore sea = sea();
        MemoryStore target = copied(sea.at(""), region);
        String axis = region.substring(0, region.indexOf('='));
        int number = List.of("time", "lat", "level").indexOf(axis);
        long[] origin = new long[3];
        long[] extents = {8, 4, 4};
        origin[number] = from;
        extents[number] = to - from;
        ChunkStore.ArrayNode ssh = (ChunkStore.ArrayNode) sea.node("g/ssh").orElseThrow();
        assertArrayEquals(Data.of(ssh.spec()).elements(Region.of(origin, Shape.of(extents))), target.elements("g/ssh"));
        assertEquals(Shape.of(to - from), shape(target, axis));
        assertEquals(Shape.of(extents[0], 2), shape(target, "time_bnds"));
    }

    @Test
    void oneArrayHasTheCoordinatesOfTheGroupsAbove() throws Exception {
        MemoryStore target = copied(sea().at("g/ssh"), "2000-01-31:2000-02-29, 1:3, @850:");
        assertEquals(Shape.of(3, 2, 2), shape(target, "ssh"));
        assertEquals(Shape.of(3), shape(target, "time"));
        assertEquals(Shape.of(2), shape(target, "level"));
    }

    @Test
    void aRegionOfTheSourceIsWrittenToTheSamePlace() throws Exception {
        MemoryStore sea = sea();
        MemoryStore target = new MemoryStore();
        ArraySpec ssh = ((ChunkStore.ArrayNode) sea.node("g/ssh").orElseThrow()).spec();
        Data.of(ssh, (position, element) -> {}).write(target, "ssh");
        Rechunker.from(sea.at("g/ssh"))
                .into(target.at("ssh"))
                .maxMem("1MB")
                .region("time=2000-02:2000-02, lat=0.0:30.0")
                .execute();
        Region part = Region.of(new long[] {4, 2, 0}, Shape.of(2, 2, 4));
        assertArrayEquals(Data.of(ssh).elements(part), elements(target, "ssh", ssh, part));
    }

    private static byte[] elements(MemoryStore store, String path, ArraySpec spec, Region part) throws IOException {
        byte[] all = store.elements(path);
        return Data.of(spec, (position, element) -> System.arraycopy(all, (int) position * 4, element, 0, 4))
                .elements(part);
    }

    @Test
    void valuesThatSelectNothingOrAreAmbiguousAreRefused() throws Exception {
        MemoryStore sea = sea();
        refused("goes from 2000-01-01 to 2000-03-02", sea.at(""), "time=2001-01-01:2001-12-31");
        refused("goes from 2000-01-01 to 2000-03-02", sea.at(""), "time=2000-01-04:2000-01-30");
        refused("goes from 60.1 to 0.1", sea.at(""), "lat=70.0:80.0");
        refused("goes from 60.1 to 0.1, so that it is not clear", sea.at(""), "lat=40.0:");
        refused("has numbers and no dates", sea.at(""), "lat=2000-01-01:2000-01-02");
        refused("has times; instead of 1.5", sea.at(""), "time=1.5:2.5");
        refused("2000-02-30 is no date of the calendar", sea.at(""), "time=2000-02-30:2000-03-01");
        refused("no coordinates of nv", sea.at(""), "nv=@0:@1");
        refused("[depth]", sea.at(""), "depth=@0:@1");
        refused("index", sea.at(""), "lat=10:20.5");
        refused("@-10:@10", sea.at(""), "lat=-10:10");
        refused("is not a range", sea.at(""), "time=2000-01-01");
        coordinate(sea, "h/x", DataType.FLOAT64, Map.of(), 1, 2, 2, 1.5);
        refused("is not sorted: 1.5 at index 3 follows 2.0", sea.at("h"), "x=1.0:2.0");
        coordinate(sea, "i/x", DataType.FLOAT64, Map.of(), 1, Double.NaN, 2);
        refused("missing value at index 1", sea.at("i"), "x=1.0:2.0");
        coordinate(sea, "j/x", DataType.FLOAT64, Map.of("units", "months since 2000-01-01"), 1, 2);
        refused("\"months since 2000-01-01\"", sea.at("j"), "x=2000-01-01:2000-02-01");
        coordinate(sea, "k/time", DataType.INT32, DAYS, 0, 30);
        refused("not the same part everywhere", sea.at(""), "time=2000-01:2000-01");
        write(sea, "l/x", spec(DataType.INT32, "x", "y").build(), 1, 2, 3, 4);
        refused("is no coordinate of x", sea.at("l"), "x=@1:@2");
    }

    @Test
    void packedAndUnsignedValuesAreUnpacked() throws Exception {
        MemoryStore store = new MemoryStore();
        coordinate(store, "x", DataType.INT16, Map.of("scale_factor", 0.5, "add_offset", 10L), -4, -2, 0, 1);
        assertEquals(Shape.of(2), shape(copied(store.at(""), "x=9.0:10.0"), "x"));
        store = new MemoryStore();
        coordinate(store, "x", DataType.INT8, Map.of("_Unsigned", "true"), 100, 127, -128, -1);
        assertEquals(Shape.of(2), shape(copied(store.at(""), "x=@127:@128"), "x"));
        store = new MemoryStore();
        ArraySpec missing = spec(DataType.INT8, "x")
                .missingValue(FillValue.of(new byte[] {7}))
                .build();
        write(store, "x", missing, 1, 7);
        refused("missing value at index 1", store.at(""), "x=@0:@10");
    }

    /** Hours as fractions of days are no exact numbers. */
    @Test
    void timesInFloatingPointAreRounded() throws Exception {
        MemoryStore store = new MemoryStore();
        double[] hours = new double[48];
        for (int i = 0; i < hours.length; i++) {
            hours[i] = 40_000 + i / 24.0;
        }
        coordinate(store, "time", DataType.FLOAT64, Map.of("units", "days since 1900-01-01"), hours);
        assertEquals(Shape.of(4), shape(copied(store.at(""), "time=2009-07-08T01:2009-07-08T04"), "time"));
        assertEquals(Shape.of(24), shape(copied(store.at(""), "time=2009-07-08:2009-07-08"), "time"));
    }

    /** Random sorted numbers, compared with brute force. */
    @Test
    void randomRangesSelectWhatIsBetweenTheirEnds() {
        Cases.check(200, cases -> {
            int length = (int) cases.between(1, 12);
            double[] values = new double[length];
            values[0] = cases.between(-20, 20) / 2.0;
            double sign = cases.oneOf(-0.5, 0.5);
            for (int i = 1; i < length; i++) {
                values[i] = values[i - 1] + sign * cases.between(0, 6);
            }
            MemoryStore store = new MemoryStore();
            coordinate(store, "x", cases.oneOf(DataType.FLOAT32, DataType.FLOAT64), Map.of(), values);
            double from = cases.between(-40, 40) / 2.0;
            double to = cases.between(-40, 40) / 2.0;
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                if (values[i] >= Math.min(from, to) && values[i] <= Math.max(from, to)) {
                    expected.add(i);
                }
            }
            String region = "x=" + from + ":" + to;
            if (expected.isEmpty()) {
                refused("select nothing", store.at(""), region);
            } else {
                ArraySpec spec = ((ChunkStore.ArrayNode) store.node("x").orElseThrow()).spec();
                byte[] part = copied(store.at(""), region).elements("x");
                int size = spec.dataType().itemSize();
                assertEquals(expected.size() * size, part.length, region);
                byte[] all = store.elements("x");
                for (int i = 0; i < part.length; i++) {
                    assertEquals(all[expected.get(0) * size + i], part[i], region);
                }
            }
        });
    }
}
