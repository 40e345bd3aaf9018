package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Levels in HDF5 and netCDF-4. */
class Hdf5LevelsTest {
    @TempDir
    Path temporary;

    private static ArraySpec array(ChunkStore store, String path) throws Exception {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private ChunkStore copied(boolean isNetcdf, String... names) throws Exception {
        MemoryStore source = new MemoryStore();
        Shape shape = Shape.of(3, 9, 13);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(1, 4, 4)), DataType.FLOAT32)
                .dimensionNames(List.of(names))
                .build();
        Data.of(spec).write(source, "t2m");
        Path file = temporary.resolve("levels.nc");
        Rechunker.from(source)
                .to(isNetcdf ? Hdf5.createNetcdf4(file) : Hdf5.create(file))
                .chunks("keep")
                .maxMem("10MB")
                .strict()
                .levels(Levels.by("1,2,2").count(3))
                .execute();
        return Hdf5.open(file);
    }

    /** A dimension of netCDF has one length, so that axes of levels have others. */
    @Test
    void levelsHaveDimensionsOfTheirOwn() throws Exception {
        try (ChunkStore written = copied(true, "time", "lat", "lon")) {
            assertEquals(List.of("time", "lat", "lon"), array(written, "t2m/0").dimensionNames());
            assertEquals(
                    List.of("time", "lat_2", "lon_2"), array(written, "t2m/1").dimensionNames());
            assertEquals(
                    List.of("time", "lat_4", "lon_4"), array(written, "t2m/2").dimensionNames());
            assertEquals(Shape.of(3, 3, 4), array(written, "t2m/2").shape());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void axesWithoutNamesNeedNone(boolean isNetcdf) throws Exception {
        try (ChunkStore written = copied(isNetcdf)) {
            assertEquals(Shape.of(3, 3, 4), array(written, "t2m/2").shape());
        }
    }

    @Test
    void namesAreKeptInHdf5() throws Exception {
        try (ChunkStore written = copied(false, "time", "lat", "lon")) {
            assertEquals(Shape.of(3, 3, 4), array(written, "t2m/2").shape());
        }
    }
}
