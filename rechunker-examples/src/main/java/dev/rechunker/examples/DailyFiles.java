package dev.rechunker.examples;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Makes netCDF-4 files as providers of maps publish them, one for each day: {@code DailyFiles DIRECTORY FIRST_DAY
 * DAYS}, for example {@code DailyFiles daily 2020-01-01 30}.
 *
 * <p>Each file has 13 variables, as maps of the level of the sea have: the coordinates {@code time} (which is
 * unlimited), {@code lat} and {@code lon}, bounds, a grid mapping, six quantities as 16-bit integers with a scale and a
 * missing value, and a flag for ice.
 */
public final class DailyFiles {
    private static final int LATITUDES = 36;
    private static final int LONGITUDES = 72;
    private static final List<String> QUANTITIES = List.of("sla", "adt", "ugos", "vgos", "ugosa", "vgosa");
    private static final short MISSING = Short.MIN_VALUE;
    private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);

    private DailyFiles() {}

    /** Writes the files; existing ones are replaced. */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        LocalDate first = LocalDate.parse(args[1]);
        int days = Integer.parseInt(args[2]);
        for (int i = 0; i < days; i++) {
            write(directory, first.plusDays(i));
        }
        System.out.println("Made " + days + " files in " + directory);
    }

    private static void write(Path directory, LocalDate date) throws IOException {
        long day = EPOCH.until(date, ChronoUnit.DAYS);
        try (ChunkStore file = Stores.formatOf("day.nc").orElseThrow().create(directory.resolve(date + ".nc"))) {
            file.writeGroup(
                    "",
                    GroupSpec.of(Map.of("Conventions", "CF-1.8", "title", "sea level, made as an example"))
                            .withDimensions(List.of(
                                    new Dimension("time", 1, true),
                                    new Dimension("lat", LATITUDES, false),
                                    new Dimension("lon", LONGITUDES, false),
                                    new Dimension("nv", 2, false))),
                    true);
            writeCoordinates(file, day);
            writeMaps(file, day);
            file.finish(false);
        }
    }

    private static void writeCoordinates(ChunkStore file, long day) throws IOException {
        Map<String, String> time =
                Map.of("units", "days since " + EPOCH, "calendar", "standard", "standard_name", "time");
        write(
                file,
                "time",
                spec(DataType.INT32, List.of("time"), 1)
                        .unlimitedAxes(Set.of(0))
                        .attributes(time),
                i -> day);
        writeAxis(file, "lat", "degrees_north", "latitude", LATITUDES, -875);
        writeAxis(file, "lon", "degrees_east", "longitude", LONGITUDES, 25);
        Map<String, Object> crs = Map.of("grid_mapping_name", "latitude_longitude", "semi_major_axis", 6371000.0);
        write(file, "crs", spec(DataType.INT32, List.of()).attributes(crs), i -> 0);
    }

    /** Writes the coordinates of an axis, in steps of 5 degrees, and their bounds. */
    private static void writeAxis(ChunkStore file, String name, String units, String standardName, int n, int first)
            throws IOException {
        String bounds = name + "_bnds";
        write(
                file,
                name,
                spec(DataType.FLOAT32, List.of(name), n)
                        .attributes(Map.of("units", units, "standard_name", standardName, "bounds", bounds)),
                i -> first + 50 * i);
        write(file, bounds, spec(DataType.FLOAT32, List.of(name, "nv"), n, 2), i -> first - 25 + 50 * (i / 2 + i % 2));
    }

    private static void writeMaps(ChunkStore file, long day) throws IOException {
        AttributeType number = AttributeType.of("float64", Shape.of(1));
        for (int i = 0; i < QUANTITIES.size(); i++) {
            String name = QUANTITIES.get(i);
            String units = name.equals("sla") || name.equals("adt") ? "m" : "m/s";
            long shift = 3L * i;
            ArraySpec.Builder map = map(DataType.INT16)
                    .missingValue(FillValue.of((byte) MISSING, (byte) (MISSING >> 8)))
                    .attributes(Map.of("units", units, "grid_mapping", "crs", "scale_factor", 0.001))
                    .attributeTypes(Map.of("scale_factor", number));
            write(file, name, map, at -> height(day, at / LONGITUDES + shift, at % LONGITUDES));
        }
        ArraySpec.Builder ice =
                map(DataType.INT8).attributes(Map.of("flag_meanings", "water ice", "grid_mapping", "crs"));
        write(file, "flag_ice", ice, at -> at / LONGITUDES < 3 || at / LONGITUDES > 32 ? 1 : 0);
    }

    private static ArraySpec.Builder map(DataType type) {
        return spec(type, List.of("time", "lat", "lon"), 1, LATITUDES, LONGITUDES)
                .unlimitedAxes(Set.of(0))
                .codecs(CodecSpec.parse("shuffle+gzip:level=4"));
    }

    /** {@return a quantity at a place, in thousandths; missing on land} */
    private static long height(long day, long latitude, long longitude) {
        boolean isLand = longitude >= 40 && longitude < 52 && latitude > 20;
        return isLand ? MISSING : Math.round(800 * Math.sin(latitude * 0.2 + day * 0.1) * Math.cos(longitude * 0.15));
    }

    private static ArraySpec.Builder spec(DataType type, List<String> dimensions, long... shape) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(shape)), type)
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .dimensionNames(dimensions);
    }

    /**
     * Writes an array of one chunk.
     *
     * @param value the value at an index, in C order; in tenths for floating-point numbers
     */
    private static void write(ChunkStore file, String name, ArraySpec.Builder wanted, LongUnaryOperator value)
            throws IOException {
        ArraySpec spec = file.resolve(wanted.build());
        long elements = spec.chunks().shape().elements();
        ByteBuffer buffer = ByteBuffer.allocateDirect(
                        Math.toIntExact(elements * spec.dataType().itemSize()))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < elements; i++) {
            long number = value.applyAsLong(i);
            if (spec.dataType().equals(DataType.FLOAT32)) {
                buffer.putFloat(number / 10f);
            } else if (spec.dataType().equals(DataType.INT16)) {
                buffer.putShort((short) number);
            } else if (spec.dataType().equals(DataType.INT8)) {
                buffer.put((byte) number);
            } else {
                buffer.putInt((int) number);
            }
        }
        try (ArrayWriter writer = file.create(name, spec, true)) {
            Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
            writer.write(spec.chunks().regionAt(0), buffer.flip(), scratch);
            writer.commit();
        }
    }
}
