package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an array with the name of its axis is the scale of this axis. */
class ScalesTest {
    private final Map<String, ArraySpec> specs = new LinkedHashMap<>();

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = directory.resolve("scales.h5");
        add("temperature", List.of("time", "lat", "lon"), Map.of("units", "K"), 4, 3, 5);
        add("time", List.of("time"), Map.of("units", "days since 2000-01-01"), 4);
        add("lat", List.of("lat"), Map.of(), 3);
        add("lon", List.of("lon"), Map.of(), 5);
        add("bounds", List.of("time", "nv"), Map.of(), 4, 2);
        add("square", List.of("lat", "lat"), Map.of(), 3, 3);
        add("inner/depth", List.of("depth"), Map.of(), 6);
        add("inner/profile", List.of("depth", "time"), Map.of(), 6, 4);
        // Another object has the name of its first axis.
        add("inner/short", List.of("depth", "lat"), Map.of(), 2, 3);
        // The nearest array with this name, but its length is not that of the axis of the profile.
        add("inner/time", List.of("time"), Map.of(), 9);
        add("plain", Arrays.asList(null, "z"), Map.of(), 2, 2);
        add("taken", List.of("taken"), Map.of("CLASS", "mine"), 2);
        writeFile();
    }

    private void writeFile() throws IOException {
        try (ChunkStore store = Hdf5.create(file)) {
            for (Map.Entry<String, ArraySpec> array : specs.entrySet()) {
                data(array.getValue()).write(store, array.getKey());
            }
            store.finish(false);
        }
    }

    private void add(
            String path,
            List<@Nullable String> axes,
            Map<String, ? extends @Nullable Object> attributes,
            long... shape) {
        ChunkGrid whole = ChunkGrid.regular(Shape.of(shape), Shape.of(shape));
        specs.put(
                path,
                ArraySpec.builder(whole, DataType.INT32)
                        .dimensionNames(axes)
                        .attributes(attributes)
                        .build());
    }

    /** {@return a ramp of fewer than 128 elements that starts at 0} */
    private static Data data(ArraySpec spec) {
        return Data.of(spec, (position, element) -> element[0] = (byte) position);
    }

    @Test
    void namesAndAttributesAreReadBack() throws IOException {
        try (ChunkStore store = Hdf5.open(file)) {
            assertEquals(
                    List.of("temperature", "time", "lat", "lon", "bounds", "square", "inner", "plain", "taken"),
                    store.children(""));
        }
        checkFile();
    }

    /** The length of a pure dimension is a part of its name. */
    @Test
    void filesDoNotDependOnTheLocale() throws IOException {
        Path root = file;
        file = directory.resolve("arabic.h5");
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            writeFile();
        } finally {
            Locale.setDefault(before);
        }
        assertEquals(-1, Files.mismatch(root, file));
    }

    private void checkFile() throws IOException {
        try (ChunkStore store = Hdf5.open(file)) {
            for (Map.Entry<String, ArraySpec> array : specs.entrySet()) {
                try (ArrayReader reader = store.openReader(array.getKey())) {
                    assertEquals(
                            array.getValue().dimensionNames(), reader.spec().dimensionNames(), array.getKey());
                    assertEquals(array.getValue().attributes(), reader.spec().attributes(), array.getKey());
                }
                data(array.getValue()).check(store, array.getKey());
            }
        }
    }

    /** Writes scales like a list of names in netCDF, {@code char station(station, len)}. */
    private void writeScalesOfSeveralAxes() throws IOException {
        file = directory.resolve("several.h5");
        add("station", List.of("station", "len"), Map.of(), 3, 4);
        add("reading", List.of("station", "lat"), Map.of(), 3, 3);
        add("inner/layer", List.of("layer", "depth", "station"), Map.of(), 2, 6, 3);
        add("inner/thick", List.of("layer"), Map.of(), 2);
        // One axis of "odd" has no name, so "odd" is not a scale, and the next array has no scale.
        add("odd", Arrays.asList("odd", null), Map.of(), 7, 2);
        add("even", List.of("odd"), Map.of(), 7);
        writeFile();
    }

    @Test
    void namesOfScalesOfSeveralAxesAreReadBack() throws IOException {
        writeScalesOfSeveralAxes();
        checkFile();
    }

    @ReferenceTest
    @Test
    void netCdfSeesScalesOfSeveralAxes() throws Exception {
        writeScalesOfSeveralAxes();
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", """
            import sys, h5py, netCDF4
            with netCDF4.Dataset(sys.argv[1]) as nc:
                for name in ("station len", "reading station lat", "temperature time lat lon",
                             "inner/layer layer depth station", "inner/thick layer", "square lat lat"):
                    name, *axes = name.split()
                    axes = [name, *axes] if name == "station" else axes
                    assert nc[name].dimensions == tuple(axes), (name, nc[name].dimensions)
            with h5py.File(sys.argv[1]) as f:
                assert f["reading"].dims[0][0] == f["station"]
                assert not h5py.h5ds.is_scale(f["odd"].id) and h5py.h5ds.is_scale(f["station"].id)
                uses = sorted(f[r].name for r, axis in f["station"].attrs["REFERENCE_LIST"])
                assert uses == ["/reading"], uses
            """, file.toString()));
    }

    @Test
    void arrayUsedByManyAxesIsAScale() {
        ArraySpec x = Objects.requireNonNull(specs.get("lon"));
        Map<String, ArraySpec> many = new HashMap<>(Map.of("lon", x));
        for (int i = 0; i < 5000; i++) {
            many.put("a" + i, x);
        }
        DimensionScales scales = new DimensionScales(many, Map.of("", GroupSpec.EMPTY), FileKind.HDF5);
        assertTrue(scales.areAxesNamed("a7"));
        assertTrue(scales.areAxesNamed("lon"));
    }

    @ReferenceTest
    @Test
    void h5pyAndNetCdfSeeTheScales() throws Exception {
        String repacked = directory.resolve("repacked.h5").toString();
        String dump = directory.resolve("dump.txt").toString();
        ReferencePrograms.python(directory, "hdf5/reference_scales.py", file.toString());
        ReferencePrograms.run(directory, List.of("h5dump", "-o", dump, file.toString()));
        ReferencePrograms.run(directory, List.of("h5repack", "-f", "GZIP=1", file.toString(), repacked));
        ReferencePrograms.run(directory, List.of("h5diff", file.toString(), repacked));
        ReferencePrograms.python(directory, "hdf5/reference_scales.py", repacked);
    }
}
