package dev.rechunker.io.cog;

import dev.rechunker.Levels;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.RampSource;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** rasterio (GDAL) and tifffile read files that we write, and rio-cogeo finds them valid. */
@ReferenceTest
class CogReferenceTest {
    @TempDir
    Path temporary;

    @Test
    void everyTypeCodecAndPredictorIsRead() throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("files"));
        int files = 0;
        for (DataType type : CogTest.TYPES) {
            for (String codec : CogTest.CODECS) {
                boolean predicts = !codec.equals("none") && CogTest.isPredicted(type) && files % 3 != 0;
                boolean isBig = files % 4 == 1;
                boolean hasBands = files % 5 == 2;
                ByteOrder order = isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
                long[] shape = hasBands ? new long[] {3, 700, 600} : new long[] {700, 600};
                String name = "%s-%d-%s%s-%s.tif"
                        .formatted(
                                type.name(),
                                hasBands ? 3 : 1,
                                codec,
                                predicts ? "-predictor" : "",
                                isBig ? "MM" : "II");
                write(
                        directory.resolve(name),
                        CogTest.spec(type, order, shape).build(),
                        (predicts ? "predictor+" : "") + codec);
                files++;
            }
        }
        write(
                directory.resolve("int16-1-geo.tif"),
                CogTest.spec(DataType.INT16, ByteOrder.LITTLE_ENDIAN, 700, 600)
                        .missingValue(FillValue.of((byte) 7, (byte) 0))
                        .attributes(Map.of(
                                "GeoTransform",
                                "500000 10 0 5000000 0 -10",
                                "epsg_code",
                                32633,
                                "crs_model",
                                "projected",
                                "units",
                                "m",
                                "scale_factor",
                                0.25,
                                "add_offset",
                                -3.5,
                                "FOO",
                                "a & b"))
                        .build(),
                "zstd");
        files++;
        ReferencePrograms.xarray(temporary, "cog/check.py", directory.toString(), Integer.toString(files));
    }

    private static void write(Path file, ArraySpec spec, String codec) throws Exception {
        ArraySpec named = spec.toBuilder()
                .dimensionNames(spec.shape().rank() == 3 ? List.of("band", "y", "x") : List.of("y", "x"))
                .build();
        try (ChunkStore to = Cog.create(file)) {
            CogTest.job(RampSource.of(named), to, spec.shape().rank() == 3 ? "-1,256,256" : "256,256")
                    .codec(codec)
                    .levels(Levels.auto().count(3).nearest())
                    .execute();
        }
    }
}
