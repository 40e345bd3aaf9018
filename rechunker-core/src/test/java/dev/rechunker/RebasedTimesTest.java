package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Times that are appended to times in other units. */
class RebasedTimesTest {
    private static ArraySpec spec(DataType type, Map<String, Object> attributes, long... extents) {
        Shape shape = Shape.of(extents);
        return ArraySpec.builder(ChunkGrid.regular(shape, shape), type)
                .byteOrder(type.itemSize() == 8 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .dimensionNames(extents.length == 1 ? List.of("time") : List.of("time", "nv"))
                .attributes(attributes)
                .build();
    }

    private static MemoryStore write(MemoryStore store, String path, ArraySpec spec, double... values)
            throws IOException {
        Data.of(spec, (position, element) -> put(spec, ByteBuffer.wrap(element), values[(int) position]))
                .write(store, path);
        return store;
    }

    private static void put(ArraySpec spec, ByteBuffer element, double value) {
        ByteBuffer to = element.order(spec.byteOrder());
        switch (spec.dataType().name()) {
            case "float64" -> to.putDouble(value);
            case "float32" -> to.putFloat((float) value);
            case "int64" -> to.putLong((long) value);
            case "int32", "uint32" -> to.putInt((int) (long) value);
            case "int16" -> to.putShort((short) value);
            default -> to.put((byte) value);
        }
    }

    private static double[] values(MemoryStore store, String path) throws IOException {
        ArraySpec spec = ((ChunkStore.ArrayNode) store.node(path).orElseThrow()).spec();
        ByteBuffer all = ByteBuffer.wrap(store.elements(path)).order(spec.byteOrder());
        double[] values = new double[(int) spec.shape().elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (spec.dataType().name()) {
                case "float64" -> all.getDouble();
                case "float32" -> all.getFloat();
                case "int64" -> all.getLong();
                case "int32" -> all.getInt();
                case "uint32" -> Integer.toUnsignedLong(all.getInt());
                case "int16" -> all.getShort();
                default -> all.get();
            };
        }
        return values;
    }

    private static MemoryStore store(DataType type, String units, double... values) throws IOException {
        return write(new MemoryStore(), "time", spec(type, Map.of("units", units), values.length), values);
    }

    private static void append(MemoryStore source, MemoryStore target) throws Exception {
        Rechunker.from(source)
                .into(target)
                .append("time")
                .maxMem("1MB")
                .verify()
                .execute();
    }

    private static void refused(String message, MemoryStore source, MemoryStore target) {
        StoreException e = assertThrows(StoreException.class, () -> append(source, target));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }

    private static void check(double[] expected, MemoryStore source, MemoryStore target) throws Exception {
        append(source, target);
        assertArrayEquals(expected, values(target, "time"));
    }

    @Test
    void wholeNumbersStayWhole() throws Exception {
        MemoryStore target = store(DataType.INT32, "days since 2020-01-01", 364, 365);
        check(new double[] {364, 365, 366, 367}, store(DataType.INT32, "days since 2021-01-01", 0, 1), target);
        check(new double[] {364, 365, 366, 367, 368}, store(DataType.INT64, "hours since 2021-01-01", 48), target);
        check(
                new double[] {364, 365, 366, 367, 368, 369, 370},
                store(DataType.FLOAT64, "days since 2021-01-03 12:00", 0.5, 1.5),
                target);
    }

    @Test
    void fractionsBecomeNumbersOfTheSameTime() throws Exception {
        check(
                new double[] {0.25, 366.5, 366 + 1 / 24.0},
                store(DataType.INT32, "hours since 2021-01-01", 12, 1),
                store(DataType.FLOAT64, "days since 2020-01-01", 0.25));
        check(
                new double[] {0, 366 + 1 / 24.0},
                store(DataType.FLOAT64, "days since 2021-01-01", 1 / 24.0),
                store(DataType.FLOAT64, "days since 2020-01-01", 0));
    }

    @Test
    void numbersThatCannotBeExpressedAreRefused() throws Exception {
        refused(
                "memory#time has the time 36 in \"hours since 2021-01-01\", which would be 367.5 in"
                        + " \"days since 2020-01-01\", but int32 cannot hold that number",
                store(DataType.INT32, "hours since 2021-01-01", 24, 36),
                store(DataType.INT32, "days since 2020-01-01", 1));
        refused(
                "would be 8784 in",
                store(DataType.INT32, "hours since 2021-01-01", 0),
                store(DataType.INT8, "hours since 2020-01-01", 1));
        refused(
                "float32 cannot hold",
                store(DataType.FLOAT32, "days since 2021-01-01", 1 / 24.0),
                store(DataType.FLOAT32, "days since 2020-01-01", 0));
        refused(
                "would be -1 in",
                store(DataType.INT32, "days since 2019-12-31", 0),
                store(DataType.UINT32, "days since 2020-01-01", 1));
    }

    @Test
    void otherCalendarsAndUnitsAreRefused() throws Exception {
        MemoryStore target = store(DataType.INT32, "days since 2020-01-01", 1);
        MemoryStore noleap = write(
                new MemoryStore(),
                "time",
                spec(DataType.INT32, Map.of("units", "days since 2021-01-01", "calendar", "noleap"), 1),
                0);
        refused("calendar", noleap, target);
        refused("units", store(DataType.INT32, "months since 2021-01-01", 0), target);
        refused("units", store(DataType.INT32, "days", 0), target);
        MemoryStore packed = write(
                new MemoryStore(),
                "time",
                spec(DataType.INT32, Map.of("units", "days since 2021-01-01", "scale_factor", 2L), 1),
                0);
        refused("scale_factor", packed, target);
    }

    @Test
    void boundsHaveTheUnitsOfTheirTimes() throws Exception {
        MemoryStore[] stores = new MemoryStore[2];
        for (int i = 0; i < 2; i++) {
            Map<String, Object> attributes = Map.of("units", "days since 202" + i + "-01-01", "bounds", "time_bnds");
            stores[i] = write(new MemoryStore(), "time", spec(DataType.INT32, attributes, 2), 10, 11);
            write(stores[i], "time_bnds", spec(DataType.FLOAT64, Map.of(), 2, 2), 10, 11, 11, 12);
            write(stores[i], "other", spec(DataType.FLOAT64, Map.of(), 2), 1, 2);
        }
        check(new double[] {10, 11, 376, 377}, stores[1], stores[0]);
        assertArrayEquals(new double[] {10, 11, 11, 12, 376, 377, 377, 378}, values(stores[0], "time_bnds"));
        assertArrayEquals(new double[] {1, 2, 1, 2}, values(stores[0], "other"));
    }

    @Test
    void missingTimesStayMissing() throws Exception {
        ArraySpec.Builder spec = spec(DataType.INT16, Map.of("units", "days since 2021-01-01"), 3).toBuilder();
        MemoryStore source = write(
                new MemoryStore(),
                "time",
                spec.missingValue(FillValue.of(new byte[] {-1, -1})).build(),
                0,
                -1,
                2);
        ArraySpec.Builder wide = spec(DataType.INT32, Map.of("units", "days since 2020-01-01"), 1).toBuilder();
        MemoryStore target = write(
                new MemoryStore(),
                "time",
                wide.missingValue(FillValue.of(new byte[] {-2, -1, -1, -1})).build(),
                0);
        check(new double[] {0, 366, -2, 368}, source, target);
    }

    /** The same times twice are found in other units, too. */
    @Test
    void timesThatAreThereAlreadyAreRefused() throws Exception {
        refused(
                "has the value 366",
                store(DataType.INT32, "hours since 2021-01-01", 0),
                store(DataType.INT32, "days since 2020-01-01", 366));
    }

    /** Random times, compared with what they are in milliseconds. */
    @Test
    void randomTimesStayTheSame() {
        String[] units = {"seconds", "minutes", "hours", "days"};
        long[] lengths = {1, 60, 3600, 86400};
        Cases.check(300, cases -> {
            int[] unit = {(int) cases.between(0, 3), (int) cases.between(0, 3)};
            long[] day = {cases.between(1, 28), cases.between(1, 28)};
            DataType[] type = {
                cases.oneOf(DataType.INT32, DataType.INT64, DataType.FLOAT64),
                cases.oneOf(DataType.INT32, DataType.INT64, DataType.FLOAT64)
            };
            double number = cases.between(-100, 100);
            double exact = (number * lengths[unit[0]] + (day[0] - day[1]) * 86400) / lengths[unit[1]];
            boolean isSame = unit[0] == unit[1] && day[0] == day[1];
            boolean isPossible =
                    isSame ? type[0].equals(type[1]) : type[1].equals(DataType.FLOAT64) || exact == Math.rint(exact);
            String from = units[unit[0]] + " since 2000-01-" + (day[0] < 10 ? "0" : "") + day[0];
            String to = units[unit[1]] + " since 2000-01-" + (day[1] < 10 ? "0" : "") + day[1] + " 00:00:00";
            MemoryStore source = store(type[0], from, number);
            MemoryStore target = store(type[1], to, 1_000_000);
            if (isPossible) {
                append(source, target);
                double[] appended = values(target, "time");
                assertEquals(
                        exact, appended[1], Math.abs(exact) * 1e-15, from + " to " + to + Arrays.toString(appended));
            } else {
                refused(isSame ? "type" : "cannot hold", source, target);
            }
        });
    }
}
