package dev.rechunker.io.classic;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files that netCDF4-python wrote with make_classic.py. */
class ClassicStoreTest {
    @TempDir
    Path temporary;

    private Path files;

    @BeforeEach
    void unpack() throws IOException {
        files = Fixtures.copy("netcdf/classic", temporary, true);
    }

    /** {@return element i of the variable with a number, as its bytes} */
    static byte[] element(DataType type, int number, long i) {
        long value = (i * 7 + number) % 100;
        ByteBuffer bytes = ByteBuffer.allocate(type.itemSize());
        if (type.kind() == DataType.Kind.BYTES) {
            return bytes.put((byte) ('A' + value % 26)).array();
        }
        boolean isFloat = type.kind() == DataType.Kind.FLOAT;
        switch (type.itemSize()) {
            case 1 -> bytes.put((byte) value);
            case 2 -> bytes.putShort((short) value);
            case 4 -> bytes.putInt(isFloat ? Float.floatToIntBits((float) value) : (int) value);
            default -> bytes.putLong(isFloat ? Double.doubleToLongBits((double) value) : value);
        }
        return bytes.array();
    }

    /** Reads a region of an array, and compares its elements. */
    private static void check(ArrayReader reader, Region region, int number) throws IOException {
        DataType type = reader.spec().dataType();
        ByteBuffer found = ByteBuffer.allocate((int) region.elements() * type.itemSize());
        assertTrue(reader.read(region, found.duplicate(), Scratch.allocate((int)
                reader.traits().scratchBytes())));
        long[] index = region.origin();
        Shape shape = reader.spec().shape();
        for (int i = 0; i < region.elements(); i++) {
            long rest = i;
            for (int axis = index.length - 1; axis >= 0; axis--) {
                index[axis] = region.start(axis) + rest % region.extent(axis);
                rest /= region.extent(axis);
            }
            long ordinal = 0;
            for (int axis = 0; axis < index.length; axis++) {
                ordinal = ordinal * shape.extent(axis) + index[axis];
            }
            byte[] element = new byte[type.itemSize()];
            found.get(element);
            assertArrayEquals(element(type, number, ordinal), element, reader.spec() + " at " + ordinal);
        }
    }

    /** {@return the number of arrays whose elements are those that the fixture has} */
    private static int check(ChunkStore store) throws IOException {
        List<String> names = store.children("");
        for (int number = 0; number < names.size(); number++) {
            try (ArrayReader reader = store.openReader(names.get(number))) {
                Shape shape = reader.spec().shape();
                if (shape.isEmpty()) {
                    continue;
                }
                check(reader, Region.whole(shape), number);
                for (int axis = 0; axis < shape.rank(); axis++) {
                    long[] origin = new long[shape.rank()];
                    long[] extents = shape.toArray();
                    origin[axis] = extents[axis] / 2;
                    extents[axis] -= extents[axis] / 2;
                    check(reader, Region.of(origin, Shape.of(extents)), number);
                    extents[axis] = 1;
                    check(reader, Region.of(origin, Shape.of(extents)), number);
                }
            }
        }
        return names.size();
    }

    @Test
    void elementsAreThoseThatWereWritten() throws IOException {
        int arrays = 0;
        List<Path> all = new ArrayList<>();
        try (Stream<Path> list = Files.list(files)) {
            list.forEach(all::add);
        }
        for (Path file : all) {
            assertTrue(NetcdfClassic.isIn(file));
            try (ChunkStore store = NetcdfClassic.open(file)) {
                arrays += check(store);
            }
            Path parent = requireNonNull(file.getParent());
            try (ChunkStore store = NetcdfClassic.open(
                    new DirectoryKeys(parent), file.getFileName().toString())) {
                arrays += check(store);
            }
        }
        assertEquals(22, all.size());
        assertEquals(2 * 154, arrays);
    }

    private static ArraySpec spec(ChunkStore store, String name) throws IOException {
        return ((ChunkStore.ArrayNode) store.node(name).orElseThrow()).spec();
    }

    @Test
    void metadataIsThatOfNetcdf() throws IOException {
        try (ChunkStore store = NetcdfClassic.open(files.resolve("data_records_4.nc"))) {
            ChunkStore.GroupNode group = (ChunkStore.GroupNode) store.node("").orElseThrow();
            assertEquals(
                    List.of(new Dimension("x", 3, false), new Dimension("time", 4, true)),
                    group.spec().dimensions());
            ArraySpec bytes = spec(store, "a_i1");
            assertEquals(List.of("time", "x"), bytes.dimensionNames());
            assertEquals(Set.of(0), bytes.unlimitedAxes());
            assertEquals(FillValue.of((byte) 99), bytes.missingValue());
            assertEquals(Map.of("coordinates", "time x", "_Unsigned", "true"), bytes.attributes());
            assertEquals(FillValue.of((byte) '*'), spec(store, "a_S1").missingValue());
            ArraySpec floats = spec(store, "a_f4");
            assertEquals(
                    Map.of("coordinates", "time x", "missing_value", -1.0, "scale_factor", 0.5), floats.attributes());
            assertEquals(
                    AttributeType.of("float32", Shape.of(1)),
                    floats.attributeTypes().get("missing_value"));
            ArraySpec time = spec(store, "time");
            assertEquals(FillValue.UNDEFINED, time.missingValue());
            assertEquals(
                    9.9692099683868690e+36,
                    ByteBuffer.wrap(time.fillValue().element(8)).getDouble());
        }
        try (ChunkStore store = NetcdfClassic.open(files.resolve("data_fixed.nc"))) {
            ChunkStore.GroupNode group = (ChunkStore.GroupNode) store.node("").orElseThrow();
            Map<String, ?> attributes = group.attributes();
            assertEquals("é position-coded", attributes.get("title"));
            assertEquals("", attributes.get("empty"));
            assertEquals(3L, attributes.get("one_u8"));
            assertEquals(List.of(1.0, 2.0, 100.0), attributes.get("three_f4"));
            assertEquals(
                    AttributeType.of("uint16", Shape.of(3)),
                    group.spec().attributeTypes().get("three_u2"));
            assertEquals(
                    List.of("y", "x", "unused"),
                    group.spec().dimensions().stream().map(Dimension::name).toList());
            assertEquals(0, spec(store, "s_i4").shape().rank());
        }
    }

    private Path changed(String name, int position, int... bytes) throws IOException {
        byte[] file = Files.readAllBytes(files.resolve(name));
        for (int i = 0; i < bytes.length; i++) {
            file[position + i] = (byte) bytes[i];
        }
        return Files.write(temporary.resolve("changed.nc"), file);
    }

    /** The number of records is then that for which the file has elements. */
    @Test
    void writersNeedNotStateTheNumberOfRecords() throws IOException {
        for (String name : List.of("classic_records_4.nc", "offset_single_i1.nc", "classic_single_f8.nc")) {
            try (ChunkStore store = NetcdfClassic.open(changed(name, 4, 255, 255, 255, 255))) {
                assertEquals(
                        name.contains("single") ? 5 : 4,
                        spec(store, name.contains("single") ? "a" : "time")
                                .shape()
                                .extent(0));
                check(store);
            }
        }
    }

    private static String refusal(Path file) {
        return String.valueOf(assertThrows(StoreException.class, () -> {
                    try (ChunkStore store = NetcdfClassic.open(file)) {
                        for (String name : store.children("")) {
                            store.node(name);
                        }
                    }
                })
                .getMessage());
    }

    @Test
    void liesAreRefused() throws IOException {
        String name = "classic_records_4.nc";
        byte[] whole = Files.readAllBytes(files.resolve(name));
        for (int size = 0; size < whole.length - 4; size += 7) {
            String message = refusal(Files.write(temporary.resolve("cut.nc"), Arrays.copyOf(whole, size)));
            assertTrue(message.contains("cut.nc"), message);
        }
        assertTrue(refusal(changed(name, 4, 127, 255, 255, 255)).contains("cut off"), "records");
        assertTrue(refusal(changed(name, 4, 255, 255, 255, 254)).contains("records is -2"), "negative");
        assertTrue(refusal(changed(name, 8, 0, 0, 0, 11)).contains("tag 11"), "tag");
        assertTrue(refusal(changed(name, 12, 127, 255, 255, 255)).contains("has no space"), "dimensions");
        assertTrue(refusal(changed(name, 16, 127, 255, 255, 255)).contains("has 2147483647 bytes"), "name");
        assertTrue(refusal(changed(name, 24, 0, 0, 0, 0)).contains("two unlimited dimensions"), "lengths");
        int[] large = {127, 255, 255, 255, 255, 255, 255, 255};
        assertTrue(refusal(changed("data_records_4.nc", 36, large)).contains("more than 2^63 bytes"), "sizes");
    }
}
