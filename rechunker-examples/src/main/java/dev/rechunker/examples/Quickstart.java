package dev.rechunker.examples;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A first copy, of data that it makes: a year of daily temperature maps is copied into chunks along time, so that a
 * time series is a single read.
 */
public final class Quickstart {
    private static final Shape SHAPE = Shape.of(365, 180, 360);
    private static final ByteSize BOUND = ByteSize.parse("24MB");

    private Quickstart() {}

    /** Writes two stores below {@code args[0]}, or {@code target/quickstart}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path directory = Path.of(args.length > 0 ? args[0] : "target/quickstart");
        try (ChunkStore maps = Zarr.create(directory.resolve("by-day.zarr"));
                ChunkStore series = Zarr.create(directory.resolve("by-place.zarr"))) {
            System.out.println("Making " + maps.name() + " ...");
            make(maps);

            Plan plan = Rechunker.from(maps)
                    .to(series)
                    .chunks("time=-1, ...=36")
                    .maxMem(BOUND)
                    .overwrite()
                    .onProgress(ConsoleProgress.bar())
                    .plan();
            System.out.println();
            System.out.println(plan.explain());

            Report report = plan.execute();
            System.out.printf(
                    Locale.ROOT, "Copied in %.2f s.%n", report.elapsed().toMillis() / 1e3);
            System.out.printf(
                    Locale.ROOT,
                    "Memory: %s measured <= %s projected <= %s allowed, for an array of %s.%n",
                    ByteSize.of(report.measuredMemory()),
                    ByteSize.of(report.projectedMemory()),
                    plan.maxMem(),
                    ByteSize.of(4 * SHAPE.elements()));
            System.out.println(check(series) + " elements compared: each is in its place.");
        }
    }

    /** {@return the value of an element: warm at the equator, with seasons, and different at every position} */
    static float temperature(long day, long latitude, long longitude) {
        double north = (89.5 - latitude) * Math.PI / 180;
        double season = Math.cos((day - 200) * 2 * Math.PI / 365);
        double wave = Math.sin(longitude * Math.PI / 60 + day * 0.1);
        return (float) (30 * Math.cos(north) - 15 + 12 * season * Math.sin(north) + 3 * wave + longitude * 1e-3);
    }

    private static void make(ChunkStore store) throws IOException {
        ArraySpec spec =
                store.resolve(ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(5, 180, 360)), DataType.FLOAT32)
                        .fillValue(FillValue.zero(4))
                        .dimensionNames(List.of("time", "latitude", "longitude"))
                        .attributes(Map.of("long_name", "air temperature", "units", "degC"))
                        .codecs(CodecSpec.parse("blosc:cname=lz4,clevel=5,shuffle=shuffle"))
                        .build());
        try (ArrayWriter writer = store.create("", spec, true)) {
            Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
            ByteBuffer buffer = buffer(spec);
            for (long chunk = 0; chunk < spec.chunks().count(); chunk++) {
                Region region = spec.chunks().regionAt(chunk);
                buffer.clear();
                for (long day = region.start(0); day < region.end(0); day++) {
                    for (long latitude = region.start(1); latitude < region.end(1); latitude++) {
                        for (long longitude = region.start(2); longitude < region.end(2); longitude++) {
                            buffer.putFloat(temperature(day, latitude, longitude));
                        }
                    }
                }
                writer.write(region, buffer.flip(), scratch);
            }
            writer.commit();
        }
    }

    private static long check(ChunkStore store) throws IOException {
        long compared = 0;
        try (ArrayReader reader = store.openReader("")) {
            ChunkGrid chunks = reader.spec().chunks();
            Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
            ByteBuffer buffer = buffer(reader.spec());
            for (long chunk = 0; chunk < chunks.count(); chunk++) {
                Region region = chunks.regionAt(chunk);
                buffer.clear();
                if (!reader.read(region, buffer, scratch)) {
                    throw new IOException(region + " was not written");
                }
                buffer.clear();
                for (long day = region.start(0); day < region.end(0); day++) {
                    for (long latitude = region.start(1); latitude < region.end(1); latitude++) {
                        for (long longitude = region.start(2); longitude < region.end(2); longitude++) {
                            if (buffer.getFloat() != temperature(day, latitude, longitude)) {
                                throw new IOException("wrong at " + day + ", " + latitude + ", " + longitude);
                            }
                            compared++;
                        }
                    }
                }
            }
        }
        return compared;
    }

    /** {@return a buffer for one chunk; the chunks divide the array evenly} */
    private static ByteBuffer buffer(ArraySpec spec) {
        int bytes = Math.toIntExact(spec.chunks().chunkShape().elements() * 4);
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
