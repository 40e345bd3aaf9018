package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joined files whose times are counted from other dates, or in other units. */
class EpochsTest {
    @TempDir
    Path directory;

    private int files;

    private static ArraySpec spec(DataType type, Map<String, Object> attributes, List<String> axes, long... extents) {
        Shape shape = Shape.of(extents);
        return ArraySpec.builder(ChunkGrid.regular(shape, shape), type)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .dimensionNames(axes)
                .attributes(attributes)
                .build();
    }

    private static void write(ChunkStore store, String path, ArraySpec spec, double... values) throws IOException {
        Data.of(spec, (position, element) -> {
                    ByteBuffer to = ByteBuffer.wrap(element).order(ByteOrder.LITTLE_ENDIAN);
                    double value = values[(int) position];
                    if (spec.dataType().equals(DataType.FLOAT64)) {
                        to.putDouble(value);
                    } else {
                        to.putInt((int) value);
                    }
                })
                .write(store, path);
    }

    /** Writes a file with two times, their bounds, and a variable. */
    private void file(DataType type, String units, String calendar, double first, double step) throws IOException {
        try (ChunkStore store = Zarr.create(directory.resolve(files + ".zarr"))) {
            Map<String, Object> meaning = Map.of("units", units, "calendar", calendar, "bounds", "time_bnds");
            write(store, "time", spec(type, meaning, List.of("time"), 2), first, first + step);
            ArraySpec bounds = spec(DataType.FLOAT64, Map.of(), List.of("time", "nv"), 2, 2);
            write(store, "time_bnds", bounds, first, first + step, first + step, first + 2 * step);
            write(store, "v", spec(DataType.INT32, Map.of(), List.of("time"), 2), 2 * files, 2 * files + 1);
        }
        files++;
    }

    private List<Source> sources(String path) throws IOException {
        return Concat.files(directory, "?.zarr", Zarr::open, path);
    }

    private static double[] values(ChunkStore source, String path) throws Exception {
        MemoryStore target = new MemoryStore();
        Rechunker.from(source.at(path))
                .to(target)
                .chunks("keep")
                .maxMem("10MB")
                .only()
                .verify()
                .execute();
        ArraySpec spec = ((ChunkStore.ArrayNode) target.node("").orElseThrow()).spec();
        ByteBuffer elements = ByteBuffer.wrap(target.elements("")).order(spec.byteOrder());
        double[] values = new double[(int) spec.shape().elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = spec.dataType().equals(DataType.FLOAT64) ? elements.getDouble() : elements.getInt();
        }
        return values;
    }

    private void refused(String message) {
        StoreException e = assertThrows(StoreException.class, () -> Concat.along("time", sources("")));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }

    private void writeYears() throws IOException {
        file(DataType.INT32, "days since 2019-01-01", "standard", 0, 1);
        file(DataType.INT32, "days since 2020-01-01 00:00:00", "gregorian", 0, 1);
        file(DataType.INT32, "hours since 2021-01-01", "standard", 0, 24);
        file(DataType.FLOAT64, "days since 2021-01-01T12:00", "standard", 1.5, 1);
    }

    private static void checkYears(ChunkStore joined) throws Exception {
        assertArrayEquals(new double[] {0, 1, 365, 366, 731, 732, 733, 734}, values(joined, "time"));
        assertArrayEquals(
                new double[] {0, 1, 1, 2, 365, 366, 366, 367, 731, 732, 732, 733, 733, 734, 734, 735},
                values(joined, "time_bnds"));
        assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5, 6, 7}, values(joined, "v"));
        ArraySpec time = ((ChunkStore.ArrayNode) joined.node("time").orElseThrow()).spec();
        assertEquals("days since 2019-01-01", time.attributes().get("units"));
        assertEquals(DataType.INT32, time.dataType());
    }

    @Test
    void timesAreInTheUnitsOfTheFirstFile() throws Exception {
        writeYears();
        checkYears(Concat.along("time", sources("")));
        checkYears(Concat.options().atMostOpen(1).withCoordinates().along("time", sources("v")));
    }

    @Test
    void anotherProcessReadsTheSameTimes() throws Exception {
        writeYears();
        ChunkStore joined = Concat.along("time", sources(""));
        ChunkStore again = Concat.open(
                joined.descriptor().orElseThrow(), store -> Zarr.open(Path.of(URI.create(store.text("place")))));
        assertEquals(joined.identity(), again.identity());
        checkYears(again);
    }

    @Test
    void unitsOfTheFirstAreTakenIfThatIsAskedFor() throws Exception {
        file(DataType.INT32, "days since 2019-01-01", "standard", 0, 1);
        file(DataType.INT32, "days since 2020-01-01", "standard", 0, 1);
        for (String kept : List.of("units", "time:units")) {
            ChunkStore joined = Concat.options().keepFirst(kept).along("time", sources(""));
            assertArrayEquals(new double[] {0, 1, 0, 1}, values(joined, "time"));
        }
    }

    @Test
    void numbersThatHaveNoEqualAreRefused() throws Exception {
        file(DataType.INT32, "days since 2019-01-01", "standard", 0, 1);
        file(DataType.INT32, "hours since 2020-01-01", "standard", 12, 1);
        refused("1.zarr#time has the time 12 in \"hours since 2020-01-01\", which would be 365.5 in");
    }

    @Test
    void otherCalendarsAreRefused() throws Exception {
        file(DataType.INT32, "days since 2019-01-01", "standard", 0, 1);
        file(DataType.INT32, "days since 2020-01-01", "noleap", 0, 1);
        refused("calendar");
    }

    /** The two Gregorian calendars have the same dates since 1582-10-15. */
    @Test
    void timesAreInTheCalendarOfTheFirstFileWhereDatesAreTheSame() throws Exception {
        file(DataType.INT32, "days since 2019-01-01", "standard", 0, 1);
        file(DataType.INT32, "days since 2020-01-01", "proleptic_gregorian", 0, 1);
        file(DataType.INT32, "days since 2019-01-01", "proleptic_gregorian", 700, 1);
        ChunkStore joined = Concat.along("time", sources(""));
        assertArrayEquals(new double[] {0, 1, 365, 366, 700, 701}, values(joined, "time"));
        ArraySpec time = ((ChunkStore.ArrayNode) joined.node("time").orElseThrow()).spec();
        assertEquals("standard", time.attributes().get("calendar"));
        file(DataType.INT32, "days since 2019-01-01", "proleptic_gregorian", -200_000, 1);
        refused("3.zarr#time has the time -200000 in \"days since 2019-01-01\", which is before 1582-10-15");
        assertEquals(
                8, values(Concat.options().keepFirst("calendar", "units").along("time", sources("")), "time").length);
    }

    @Test
    void calendarsWhoseFirstDatesDifferAreRefused() throws Exception {
        file(DataType.INT32, "days since 1500-01-01", "standard", 200_000, 1);
        file(DataType.INT32, "days since 1500-01-01", "proleptic_gregorian", 200_000, 1);
        refused("calendar");
    }

    @Test
    void packedTimesInOtherUnitsAreRefused() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (ChunkStore store = Zarr.create(directory.resolve(i + ".zarr"))) {
                Map<String, Object> meaning = Map.of("units", "hours since 200" + i + "-01-01", "scale_factor", 0.5);
                write(store, "time", spec(DataType.INT32, meaning, List.of("time"), 2), 0, 1);
            }
        }
        refused("1.zarr#time has times in \"hours since 2001-01-01\", which cannot be changed to"
                + " \"hours since 2000-01-01\" because it has scale_factor");
    }

    /** Coordinates that are compared, and not joined, are the same in other units. */
    @Test
    void equalTimesInOtherUnitsAreEqual() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (ChunkStore store = Zarr.create(directory.resolve(i + ".zarr"))) {
                Map<String, Object> meaning =
                        Map.of("units", i == 0 ? "days since 2019-01-01" : "hours since 2018-12-31");
                double[] times = i == 0 ? new double[] {0, 1} : new double[] {24, 48};
                write(store, "time", spec(DataType.INT32, meaning, List.of("time"), 2), times);
                write(store, "v", spec(DataType.INT32, Map.of(), List.of("x", "time"), 1, 2), 2 * i, 2 * i + 1);
            }
        }
        ChunkStore joined = Concat.along("x", sources(""));
        assertArrayEquals(new double[] {0, 1}, values(joined, "time"));
        assertArrayEquals(new double[] {0, 1, 2, 3}, values(joined, "v"));
    }
}
