package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that attributes that are too large for the header of their object are stored. */
class LargeAttributesTest {
    private static final String CHECK = """
            import sys
            path = sys.argv[1]
            def check(get, title):
                assert list(get("large")) == list(range(10000)), title
                assert len(get("largest")) == 200000 and get("largest")[-1] == 199999.5, title
                for i in range(100):
                    assert get(f"small{i}") == i, (title, i)
            """;

    @TempDir
    Path directory;

    private static Map<String, Object> attributes() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("units", "m");
        attributes.put("large", LongStream.range(0, 10_000).boxed().toList());
        for (int i = 0; i < 100; i++) {
            attributes.put("small" + i, (long) i);
        }
        attributes.put(
                "largest",
                DoubleStream.iterate(0.5, x -> x + 1).limit(200_000).boxed().toList());
        return attributes;
    }

    private Path write(String ending) throws IOException {
        Path file = directory.resolve("x" + ending);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(4), Shape.of(2)), DataType.INT32)
                .dimensionNames(List.of("x"))
                .attributes(attributes())
                .attributeTypes(Map.of("large", AttributeType.of("int64", Shape.of(10_000))))
                .build();
        try (ChunkStore store = ending.equals(".nc") ? Hdf5.createNetcdf4(file) : Hdf5.create(file)) {
            store.writeGroup("", GroupSpec.of(attributes()), false);
            Data.of(spec).write(store, "v");
            store.finish(false);
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {".h5", ".nc"})
    void largeAttributesAreReadBack(String ending) throws IOException {
        try (ChunkStore store = Hdf5.open(write(ending))) {
            GroupNode root = (GroupNode) store.node("").orElseThrow();
            ArrayNode array = (ArrayNode) store.node("v").orElseThrow();
            assertEquals(attributes(), root.spec().attributes());
            assertEquals(attributes(), array.spec().attributes());
            assertEquals(
                    AttributeType.of("int64", Shape.of(10_000)),
                    array.spec().attributeTypes().get("large"));
        }
    }

    @ReferenceTest
    @ParameterizedTest
    @ValueSource(strings = {".h5", ".nc"})
    void h5pyAndNetcdfReadThem(String ending) throws Exception {
        String file = write(ending).toString();
        run(file, """
                import h5py, netCDF4
                with h5py.File(path) as f:
                    check(f.attrs.__getitem__, "h5py, root")
                    check(f["v"].attrs.__getitem__, "h5py, array")
                with netCDF4.Dataset(path) as nc:
                    check(nc.getncattr, "netCDF, root")
                    check(nc["v"].getncattr, "netCDF, array")
                """);
        ReferencePrograms.run(
                directory, List.of("h5dump", "-o", directory.resolve("dump").toString(), file));
        ReferencePrograms.run(
                directory,
                List.of("h5repack", "-L", file, directory.resolve("repacked.h5").toString()));
        ReferencePrograms.run(
                directory,
                List.of("h5diff", file, directory.resolve("repacked.h5").toString()));
    }

    @ReferenceTest
    @Test
    void netcdfAddsToThem() throws Exception {
        run(write(".nc").toString(), """
                import netCDF4
                with netCDF4.Dataset(path, "a") as nc:
                    for at in nc, nc["v"]:
                        for i in range(50):
                            at.setncattr(f"new{i}", "text" * i)
                        at.units = "km"
                        del at.new7
                        at.small7 = 7
                with netCDF4.Dataset(path) as nc:
                    for at in nc, nc["v"]:
                        check(at.getncattr, "after the change")
                        assert at.new49 == "text" * 49 and at.units == "km" and not hasattr(at, "new7")
                """);
    }

    private void run(String file, String code) throws Exception {
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", CHECK + code, file));
    }
}
