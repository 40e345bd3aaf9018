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
 * <p>Each file has the coordinates {@code time} (which is unlimited), {@code lat} and {@code lon}, and {@code ssh}, the
 * height of the sea, as 16-bit integers with a scale and a missing value.
 */
public final class DailyFiles {
    private static final int LATITUDES = 36;
    private static final int LONGITUDES = 72;
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
                                    new Dimension("lon", LONGITUDES, false))),
                    true);
            ArraySpec.Builder time = spec(DataType.INT32, List.of("time"), 1)
                    .unlimitedAxes(Set.of(0))
                    .attributes(
                            Map.of("units", "days since " + EPOCH, "calendar", "standard", "standard_name", "time"));
            write(file, "time", time, i -> day);
            ArraySpec.Builder latitude = spec(DataType.FLOAT32, List.of("lat"), LATITUDES)
                    .attributes(Map.of("units", "degrees_north", "standard_name", "latitude"));
            write(file, "lat", latitude, i -> -875 + 50 * i);
            ArraySpec.Builder longitude = spec(DataType.FLOAT32, List.of("lon"), LONGITUDES)
                    .attributes(Map.of("units", "degrees_east", "standard_name", "longitude"));
            write(file, "lon", longitude, i -> 25 + 50 * i);
            ArraySpec.Builder height = spec(DataType.INT16, List.of("time", "lat", "lon"), 1, LATITUDES, LONGITUDES)
                    .unlimitedAxes(Set.of(0))
                    .missingValue(FillValue.of((byte) MISSING, (byte) (MISSING >> 8)))
                    .codecs(CodecSpec.parse("shuffle+gzip:level=4"))
                    .attributes(Map.of("units", "m", "long_name", "sea surface height", "scale_factor", 0.001))
                    .attributeTypes(Map.of("scale_factor", AttributeType.of("float64", Shape.of(1))));
            write(file, "ssh", height, i -> height(day, i / LONGITUDES, i % LONGITUDES));
            file.finish(false);
        }
    }

    /** {@return the height at a place, in millimetres; missing on land} */
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
