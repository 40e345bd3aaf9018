package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.Scale;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that dimensions that groups declare are stored as netCDF stores them. */
class DimensionsTest {
    private final Map<String, ArraySpec> arrays = new LinkedHashMap<>();
    private final Map<String, GroupSpec> groups = new LinkedHashMap<>(Map.of("", GroupSpec.EMPTY));

    @TempDir
    Path directory;

    private void declare(String group, Dimension... dimensions) {
        groups.put(group, GroupSpec.EMPTY.withDimensions(List.of(dimensions)));
    }

    private void add(String path, Set<Integer> unlimited, List<@Nullable String> names, long... shape) {
        ChunkGrid whole = ChunkGrid.regular(
                Shape.of(shape),
                Shape.of(Arrays.stream(shape).map(n -> n == 0 ? 1 : n).toArray()));
        arrays.put(
                path,
                ArraySpec.builder(whole, DataType.INT16)
                        .dimensionNames(names)
                        .unlimitedAxes(unlimited)
                        .build());
    }

    private DimensionScales scales() {
        return new DimensionScales(arrays, groups, FileKind.HDF5);
    }

    private static Scale scale(DimensionScales scales, String path) {
        return scales.all().stream()
                .filter(scale -> scale.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private Path write() throws IOException {
        Path file = directory.resolve("x.h5");
        try (ChunkStore store = Hdf5.create(file)) {
            for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
                data(array.getValue()).write(store, array.getKey());
            }
            for (Map.Entry<String, GroupSpec> group : groups.entrySet()) {
                store.writeGroup(group.getKey(), group.getValue(), false);
            }
            store.finish(false);
        }
        return file;
    }

    /** {@return a ramp of fewer than 128 elements that starts at 0} */
    private static Data data(ArraySpec spec) {
        return Data.of(spec, (position, element) -> element[0] = (byte) position);
    }

    @Test
    void declaredDimensionsAreInOrderBeforeOthers() {
        declare("", new Dimension("y", 2, false), new Dimension("unused", 7, true), new Dimension("a", 3, false));
        declare("g", new Dimension("z", 4, false));
        add("g/v", Set.of(), List.of("z", "other", "a"), 4, 6, 3);
        add("coordinate", Set.of(), List.of("coordinate"), 5);
        List<String> paths = scales().all().stream().map(Scale::path).toList();
        assertEquals(List.of("y", "unused", "a", "coordinate", "g/z", "g/other"), paths);
        assertTrue(scales().areNumbered());
        assertTrue(scale(scales(), "unused").isUnlimited());
        assertEquals(7, scale(scales(), "unused").length());
    }

    @Test
    void lengthIsThatOfTheArrays() {
        declare("", new Dimension("time", 9, true), new Dimension("x", 9, false), new Dimension("y", 2, false));
        add("a", Set.of(0), List.of("time", "x"), 3, 4);
        add("b", Set.of(0), List.of("time", "y"), 5, 7);
        add("x", Set.of(), List.of("x"), 4);
        add("c", Set.of(), List.of("y"), 2);
        add("d", Set.of(), List.of("x"), 1);
        DimensionScales scales = scales();
        assertEquals(5, scale(scales, "time").length(), "the longest");
        assertEquals(4, scale(scales, "x").length(), "that of the coordinate");
        assertEquals(2, scale(scales, "y").length(), "as declared, since an array agrees");
        assertTrue(scales.areAxesNamed("a"));
        assertFalse(scales.areAxesNamed("b"), "its axis y is too long");
        assertFalse(scales.areAxesNamed("d"));
        GroupSpec root = Objects.requireNonNull(groups.get(""));
        assertEquals(
                List.of(new Dimension("time", 5, true), new Dimension("x", 4, false), new Dimension("y", 2, false)),
                DimensionScales.storedDimensions(root, arrays, FileKind.HDF5));
    }

    @Test
    void arraysOfInnerGroupsUseTheNearestDimensionThatFits() {
        declare("", new Dimension("time", 3, false), new Dimension("x", 4, false));
        declare("g", new Dimension("x", 5, false));
        add("g/time", Set.of(), List.of("time"), 3);
        add("g/v", Set.of(), List.of("time", "x"), 3, 5);
        add("g/w", Set.of(), List.of("x"), 4);
        DimensionScales scales = scales();
        assertNull(scales.ofVariable("g/time"), "the dimension is that of the root");
        assertEquals(List.of(scale(scales, "time")), scales.axes("g/time"));
        assertEquals(List.of(scale(scales, "time"), scale(scales, "g/x")), scales.axes("g/v"));
        assertEquals(List.of(scale(scales, "x")), scales.axes("g/w"));
    }

    @Test
    void arrayWithTheNameOfADimensionOfOthersGetsAnotherName() {
        declare("", new Dimension("x", 3, false), new Dimension("y", 2, false));
        add("y", Set.of(), List.of("x"), 3);
        add("v", Set.of(), List.of("y", "x"), 2, 3);
        add("station", Set.of(), Arrays.asList("station", null), 4, 5);
        DimensionScales scales = scales();
        assertEquals("_nc4_non_coord_y", scales.storedPath("y"));
        assertEquals("v", scales.storedPath("v"));
        assertNull(scale(scales, "y").variable());
        assertFalse(scales.areAxesNamed("station"), "an axis has no name");
    }

    @Test
    void namesThatHdf5DoesNotHaveAreLeftOut() {
        declare("", new Dimension("a/b", 3, false), new Dimension("", 3, false), new Dimension("g", 3, false));
        declare("g", new Dimension(".", 1, false), new Dimension("x", 1, false));
        assertEquals(List.of("g/x"), scales().all().stream().map(Scale::path).toList());
    }

    /** A scale of several axes that has no scales itself cannot be one; a declared dimension stays without it. */
    @Test
    void declaredDimensionOutlivesItsCoordinate() {
        declare("", new Dimension("station", 4, false));
        add("station", Set.of(), Arrays.asList("station", null), 4, 5);
        add("v", Set.of(), List.of("station"), 4);
        DimensionScales scales = scales();
        assertEquals("_nc4_non_coord_station", scales.storedPath("station"));
        assertTrue(scales.areAxesNamed("v"));
    }

    private Path writeExample() throws IOException {
        declare(
                "",
                new Dimension("time", 0, true),
                new Dimension("x", 9, false),
                new Dimension("y", 2, false),
                new Dimension("unused", 7, false),
                new Dimension("growing", 0, true));
        declare("g", new Dimension("z", 4, false));
        add("time", Set.of(0), List.of("time"), 2);
        add("v", Set.of(0), List.of("time", "x"), 3, 3);
        add("y", Set.of(), List.of("x"), 3);
        add("empty", Set.of(1), List.of("y", "growing"), 2, 0);
        add("g/w", Set.of(), List.of("z", "x"), 4, 3);
        add("g/other", Set.of(), List.of("p", "y"), 5, 2);
        add("g/time", Set.of(0), List.of("time"), 3);
        return write();
    }

    @ReferenceTest
    @Test
    void netCdfSeesTheDimensions() throws Exception {
        String file = writeExample().toString();
        String check = """
                import sys, netCDF4, numpy as np
                nc = netCDF4.Dataset(sys.argv[1])
                nc.set_auto_mask(False)
                def dims(group):
                    return [(d.name, len(d), d.isunlimited()) for d in group.dimensions.values()]
                assert dims(nc) == [("time", 3, True), ("x", 3, False), ("y", 2, False), ("unused", 7, False),
                                    ("growing", 0, True)], dims(nc)
                assert dims(nc["g"]) == [("z", 4, False), ("p", 5, False)], dims(nc["g"])
                assert sorted(nc.variables) == ["empty", "time", "v", "y"]
                for name, expected in dict(time="time", v="time x", y="x", empty="y growing").items():
                    assert nc[name].dimensions == tuple(expected.split()), name
                for name, expected in dict(w="z x", other="p y", time="time").items():
                    assert nc["g"][name].dimensions == tuple(expected.split()), name
                assert nc["time"].shape == (3,) and nc["time"][:].tolist()[:2] == [0, 1]
                assert nc["v"][:].tolist() == np.arange(9).reshape(3, 3).tolist()
                """;
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", check, file));
        String copy = directory.resolve("copy.nc").toString();
        ReferencePrograms.run(directory, List.of("nccopy", file, copy));
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", check, copy));
        ReferencePrograms.run(
                directory, List.of("h5dump", "-o", directory.resolve("dump").toString(), file));
        String repacked = directory.resolve("repacked.h5").toString();
        ReferencePrograms.run(directory, List.of("h5repack", file, repacked));
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", check, repacked));
    }

    @ReferenceTest
    @Test
    void h5pyExtendsUnlimitedAxes() throws Exception {
        String file = writeExample().toString();
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", """
                import sys, h5py, numpy as np
                with h5py.File(sys.argv[1], "a") as f:
                    assert f["v"].maxshape == (None, 3) and f["time"].maxshape == (None,), f["v"].maxshape
                    assert f["growing"].maxshape == (None,) and f["unused"].maxshape == (7,)
                    f["v"].resize((500, 3))
                    f["v"][3:] = 7
                    f["time"].resize((500,))
                    f["empty"].resize((2, 40))
                    f["empty"][:] = 5
                with h5py.File(sys.argv[1]) as f:
                    assert f["v"][:3].tolist() == np.arange(9).reshape(3, 3).tolist() and (f["v"][3:] == 7).all()
                    assert f["time"][:2].tolist() == [0, 1] and (f["empty"][:] == 5).all()
                    assert f["v"].dims[0][0] == f["time"] and f["empty"].dims[1][0] == f["growing"]
                import netCDF4
                nc = netCDF4.Dataset(sys.argv[1])
                assert len(nc.dimensions["time"]) == 500 and len(nc.dimensions["growing"]) == 40
                """, file));
    }

    @Test
    void unlimitedAxesAreChunked() throws IOException {
        ChunkStore store = Hdf5.create(directory.resolve("x.h5"));
        ArraySpec contiguous = ArraySpec.builder(ChunkGrid.regular(Shape.of(4, 5), Shape.of(4, 6)), DataType.INT8)
                .fillValue(FillValue.zero(1))
                .hints(Map.of("hdf5.layout", "contiguous"))
                .unlimitedAxes(Set.of(0))
                .build();
        ArraySpec chunked = store.resolve(contiguous);
        assertEquals(Map.of("hdf5.maxshape", "unlimited,6"), chunked.hints());
        assertEquals(Set.of(0), chunked.unlimitedAxes());
        assertEquals(chunked, store.resolve(chunked));
        ArraySpec hinted = store.resolve(contiguous.toBuilder()
                .hints(Map.of("hdf5.maxshape", "4, unlimited"))
                .build());
        assertEquals(Map.of(), hinted.hints());
        assertEquals(Set.of(0, 1), hinted.unlimitedAxes());
        ArraySpec regions = store.resolve(contiguous.toBuilder()
                .hints(Map.of("format", "hdf5-contiguous"))
                .build());
        assertEquals(Set.of(), regions.unlimitedAxes(), "a contiguous array does not grow");
    }

    // ---- missing values ------------------------------------------------------------------------------------

    private static ArraySpec missing(DataType type, byte... element) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(2)), type)
                .missingValue(FillValue.of(element))
                .build();
    }

    @Test
    void missingValueTakesThePlaceOfTheAttribute() throws IOException {
        ChunkStore store = Hdf5.create(directory.resolve("x.h5"));
        ArraySpec spec = missing(DataType.INT16, (byte) 1, (byte) 2).toBuilder()
                .attributes(Map.of("_FillValue", 3L, "units", "m"))
                .build();
        ArraySpec resolved = store.resolve(spec);
        assertEquals(spec.missingValue(), resolved.missingValue());
        assertEquals(Map.of("units", "m"), resolved.attributes());
        Data.of(resolved).write(store, "v");
        store.finish(false);
        try (ArrayReader reader = store.openReader("v")) {
            assertEquals(resolved, reader.spec());
        }
    }

    @ReferenceTest
    @Test
    void missingValuesHaveTheTypeOfTheElements() throws Exception {
        Path file = directory.resolve("x.h5");
        try (ChunkStore store = Hdf5.create(file)) {
            Data.of(missing(DataType.INT16, (byte) -1, (byte) -1)).write(store, "int16");
            Data.of(missing(DataType.FLOAT32, (byte) 0, (byte) 0, (byte) 0xC0, (byte) 0x7F))
                    .write(store, "float32");
            Data.of(missing(DataType.bytes(1), (byte) 'x')).write(store, "char");
            Data.of(missing(DataType.BOOL, (byte) 1)).write(store, "bool");
            Data.of(missing(DataType.bytes(3), (byte) 'a', (byte) 'b', (byte) 'c'))
                    .write(store, "text");
            store.finish(false);
        }
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", """
                import sys, h5py, numpy as np, netCDF4
                with h5py.File(sys.argv[1]) as f:
                    for name in f:
                        a = f[name].attrs.get_id("_FillValue")
                        assert a.get_type() == f[name].id.get_type(), name
                        assert a.shape == (() if name == "char" else (1,)), (name, a.shape)
                    assert f["int16"].attrs["_FillValue"][0] == -1 and np.isnan(f["float32"].attrs["_FillValue"][0])
                    assert f["int16"].fillvalue == 0
                nc = netCDF4.Dataset(sys.argv[1])
                assert nc["int16"]._FillValue == -1 and nc["char"]._FillValue in ("x", b"x"), nc["char"]._FillValue
                nc["int16"][:], nc["char"][:], nc["float32"][:]
                """, file.toString()));
    }

    /** Arrays that share an unlimited scale may have different lengths in HDF5, which they do not have in netCDF. */
    @Test
    void arraysThatAreShorterThanTheirUnlimitedScaleStaySo() throws Exception {
        declare("", new Dimension("time", 5, true));
        add("time", Set.of(0), List.of("time"), 3);
        add("long", Set.of(0), List.of("time"), 5);
        add("short", Set.of(0), List.of("time"), 2);
        try (ChunkStore store = Hdf5.open(write())) {
            for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
                try (ArrayReader reader = store.openReader(array.getKey())) {
                    assertEquals(array.getValue().shape(), reader.spec().shape(), array.getKey());
                }
            }
        }
    }
}
