package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that files of netCDF-4 have what netCDF requires and reads. */
class Netcdf4Test {
    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void setFile() {
        file = directory.resolve("x.nc");
    }

    private static ArraySpec.Builder spec(DataType type, long... shape) {
        long[] chunk = Arrays.stream(shape).map(n -> Math.max(1, (n + 1) / 2)).toArray();
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type);
    }

    private ArraySpec resolved(ArraySpec spec) throws IOException {
        try (ChunkStore store = Hdf5.createNetcdf4(file)) {
            ArraySpec resolved = store.resolve(store.rules().adopt(spec));
            assertEquals(resolved, store.resolve(resolved));
            return resolved;
        }
    }

    private void python(String check) throws Exception {
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", check, file.toString()));
    }

    private static FillValue text(String text) {
        return FillValue.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"float16", "complex64", "datetime64[s]", "raw"})
    void typesThatNetcdfLacksAreRefusedByName(String name) {
        DataType type = switch (name) {
            case "float16" -> DataType.FLOAT16;
            case "complex64" -> DataType.COMPLEX64;
            case "raw" -> DataType.opaque(4, "");
            default -> DataType.datetime64("s");
        };
        UnsupportedArrayException e = assertThrows(
                UnsupportedArrayException.class, () -> resolved(spec(type, 4).build()));
        assertTrue(String.valueOf(e.getMessage()).contains(type + ", which netCDF does not support"), e.getMessage());
    }

    @Test
    void missingValueIsWhatUnwrittenElementsHave() throws IOException {
        FillValue one = FillValue.of((byte) 1, (byte) 0);
        FillValue two = FillValue.of((byte) 2, (byte) 0);
        ArraySpec plain = spec(DataType.INT16, 4).build();
        assertEquals(
                FillValue.of((byte) 1, (byte) 0x80), resolved(plain).fillValue(), "the default of netCDF is -32767");
        assertEquals(one, resolved(plain.toBuilder().fillValue(one).build()).fillValue());
        ArraySpec both = plain.toBuilder().fillValue(one).missingValue(two).build();
        assertEquals(two, resolved(both).fillValue());
        assertEquals(two, resolved(both).missingValue());
    }

    @Test
    void missingTextHasOneCharacter() throws IOException {
        ArraySpec plain = spec(DataType.bytes(3), 4).build();
        assertEquals(
                text("---"),
                resolved(plain.toBuilder().missingValue(text("---")).build()).fillValue());
        ArraySpec other = resolved(plain.toBuilder()
                .fillValue(text("abc"))
                .missingValue(text("n/a"))
                .build());
        assertEquals(FillValue.UNDEFINED, other.missingValue());
        assertEquals(FillValue.zero(3), other.fillValue());
    }

    @Test
    void chunksAreNotLargerThanFixedAxes() throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(3, 4), Shape.of(10, 10)), DataType.INT8)
                .unlimitedAxes(Set.of(0))
                .hints(Map.of("hdf5.maxshape", "unlimited,50", "hdf5.fill", "default"))
                .build();
        ArraySpec resolved = resolved(spec);
        assertEquals(Shape.of(10, 4), resolved.chunks().chunkShape());
        assertEquals(Map.of(), resolved.hints());
    }

    @Test
    void unfilledVariablesStateNoFillValue() throws IOException {
        ArraySpec spec = spec(DataType.INT16, 4)
                .hints(Map.of(ArraySpec.NO_FILL_HINT, ""))
                .build();
        assertEquals(Map.of(ArraySpec.NO_FILL_HINT, ""), resolved(spec).hints());
        assertEquals(FillValue.zero(2), resolved(spec).fillValue());
        ArraySpec missing = resolved(
                spec.toBuilder().missingValue(FillValue.of(new byte[] {1, 0})).build());
        assertEquals(FillValue.zero(2), missing.fillValue());
        assertEquals(FillValue.of(new byte[] {1, 0}), missing.missingValue());
        ArraySpec filled = resolved(
                spec.toBuilder().fillValue(FillValue.of(new byte[] {1, 0})).build());
        assertEquals(Map.of(), filled.hints());
    }

    @Test
    void attributesHaveTypesOfNetcdf() throws IOException {
        Map<String, Object> values = new TreeMap<>();
        values.put("number", 5L);
        values.put("flag", true);
        values.put("flags", List.of(true, false));
        values.put("text", "t");
        values.put("empty", "");
        values.put("texts", List.of("a", "b"));
        values.put("half", 0.5);
        values.put("matrix", List.of(List.of(1L, 2L)));
        values.put("fixed", List.of("ab"));
        values.put("enumeration", 1L);
        ArraySpec resolved = resolved(spec(DataType.INT8, 4)
                .attributes(values)
                .attributeTypes(Map.of(
                        "half", AttributeType.of("float16", Shape.of()),
                        "fixed", AttributeType.of("text null-padded utf-8 7", Shape.of(1)),
                        "enumeration", AttributeType.of("int16 {\"ONE\":1}", Shape.of())))
                .build());
        Map<String, String> types = new TreeMap<>();
        resolved.attributeTypes().forEach((name, type) -> types.put(name, type.toString()));
        assertEquals(
                "{empty=char[null], enumeration=int16[1], fixed=text null-padded utf-8 7, flag=int8[1], flags=int8[2], half=float32[1],"
                        + " number=int64[1], text=char, texts=string[2]}",
                types.toString());
        assertEquals(1L, resolved.attributes().get("flag"));
        assertEquals(List.of(1L, 0L), resolved.attributes().get("flags"));
        assertEquals(List.of("ab"), resolved.attributes().get("fixed"));
        assertEquals(values.get("matrix"), resolved.attributes().get("matrix"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-x", " x", "x ", "a\tb", ""})
    void namesThatNetcdfDoesNotAllowAreRefused(String name) throws IOException {
        try (ChunkStore store = Hdf5.createNetcdf4(file)) {
            String path = name.isEmpty() ? "x".repeat(257) : name;
            StoreException e =
                    assertThrows(StoreException.class, () -> store.rules().requireName(path));
            assertTrue(String.valueOf(e.getMessage()).contains("is not a valid name in netCDF"), e.getMessage());
            store.rules().requireName("T2m+é:x.y@z");
        }
    }

    /** Writes variables of all kinds: texts, booleans, without names of axes, with a missing value, that grow. */
    private void writeExample() throws IOException {
        try (ChunkStore store = Hdf5.createNetcdf4(file)) {
            store.writeGroup(
                    "",
                    GroupSpec.of(Map.of("title", "example", "number", 7L))
                            .withDimensions(List.of(new Dimension("time", 3, true), new Dimension("x", 4, false))),
                    false);
            ramp(spec(DataType.INT16, 3, 4)
                            .dimensionNames(List.of("time", "x"))
                            .unlimitedAxes(Set.of(0))
                            .missingValue(FillValue.of((byte) -1, (byte) -1))
                            .attributes(Map.of("units", "K", "scale_factor", 0.5)))
                    .write(store, "v");
            ramp(spec(DataType.FLOAT64, 3).dimensionNames(List.of("time")).unlimitedAxes(Set.of(0)))
                    .write(store, "time");
            Data.of(
                            spec(DataType.bytes(5), 4)
                                    .dimensionNames(List.of("x"))
                                    .build(),
                            (position, element) -> Arrays.fill(element, (byte) ('a' + position)))
                    .write(store, "name");
            Data.of(
                            spec(DataType.BOOL, 4).dimensionNames(List.of("x")).build(),
                            (position, element) -> element[0] = (byte) (position % 2))
                    .write(store, "flag");
            ramp(spec(DataType.INT32, 2, 5)).write(store, "plain");
            ramp(spec(DataType.INT32, 5, 5).dimensionNames(Arrays.asList("x", null)))
                    .write(store, "g/odd");
            store.finish(false);
        }
    }

    private static Data ramp(ArraySpec.Builder spec) {
        return Data.of(spec.build(), (position, element) -> element[0] = (byte) position);
    }

    @Test
    void textsAreReadAsCharacters() throws IOException {
        writeExample();
        try (ChunkStore store = Hdf5.open(file);
                ArrayReader reader = store.openReader("name")) {
            assertEquals(DataType.bytes(1), reader.spec().dataType());
            assertEquals(Shape.of(4, 5), reader.spec().shape());
            assertEquals(List.of("x", "string5"), reader.spec().dimensionNames());
            byte[] half = new byte[10];
            Data.read(reader, Region.of(new long[] {2, 0}, Shape.of(2, 5)), half);
            assertArrayEquals("cccccddddd".getBytes(StandardCharsets.US_ASCII), half);
        }
    }

    @ReferenceTest
    @Test
    void netcdfReadsEveryVariable() throws Exception {
        writeExample();
        python("""
                import sys, netCDF4, numpy as np
                nc = netCDF4.Dataset(sys.argv[1])
                assert sorted(nc.ncattrs()) == ["number", "title"], nc.ncattrs()
                assert nc.title == "example" and nc.number == 7
                assert {d.name: (len(d), d.isunlimited()) for d in nc.dimensions.values()} == dict(
                    time=(3, True), x=(4, False), string5=(5, False), phony_dim_0=(2, False), phony_dim_1=(5, False)
                ), nc.dimensions
                v = nc["v"]
                v.set_auto_maskandscale(False)
                assert v.dimensions == ("time", "x") and v.dtype == "i2" and v._FillValue == -1 and v.units == "K"
                assert v[:].tolist() == np.arange(12).reshape(3, 4).tolist()
                assert nc["name"].dtype == "S1" and nc["name"].dimensions == ("x", "string5")
                assert netCDF4.chartostring(nc["name"][:]).tolist() == ["aaaaa", "bbbbb", "ccccc", "ddddd"]
                assert nc["flag"].dtype == "i1"
                assert nc["flag"].getncattr("dtype") == "bool" and nc["flag"][:].tolist() == [0, 1, 0, 1]
                assert nc["plain"].dimensions == ("phony_dim_0", "phony_dim_1")
                assert nc["g/odd"].dimensions == ("x", "phony_dim_0"), nc["g/odd"].dimensions
                assert {d.name: len(d) for d in nc["g"].dimensions.values()} == dict(x=5, phony_dim_0=5)
                """);
        ReferencePrograms.run(directory, List.of("ncdump", "-s", file.toString()));
        ReferencePrograms.run(
                directory,
                List.of("nccopy", file.toString(), directory.resolve("copy.nc").toString()));
        ReferencePrograms.run(
                directory, List.of("h5dump", "-o", directory.resolve("dump").toString(), file.toString()));
        ReferencePrograms.run(directory, List.of("cdo", "sinfo", file.toString()));
    }

    @ReferenceTest
    @Test
    void netcdfAppendsToFiles() throws Exception {
        writeExample();
        python("""
                import sys, netCDF4, numpy as np
                with netCDF4.Dataset(sys.argv[1], "a") as nc:
                    nc.set_auto_maskandscale(False)
                    nc["v"][3:7] = np.arange(16).reshape(4, 4)
                    nc["time"][3:7] = [10, 11, 12, 13]
                    for i in range(20):
                        nc.setncattr(f"new{i}", np.float32(i))
                        nc["v"].setncattr(f"new{i}", "text" * i)
                    nc["v"].units = "degree_Celsius"
                    del nc["v"].new3
                    for i in range(20):
                        nc.createVariable(f"w{i}", "f4", ("time", "x"), zlib=True)[:] = i
                    nc.createGroup("h").createDimension("z", 3)
                    nc.renameVariable("plain", "renamed")
                with netCDF4.Dataset(sys.argv[1]) as nc:
                    nc["v"].set_auto_maskandscale(False)
                    assert nc["v"][:3].tolist() == np.arange(12).reshape(3, 4).tolist()
                    assert nc["v"][3:].tolist() == np.arange(16).reshape(4, 4).tolist()
                    assert nc["time"][3:].tolist() == [10, 11, 12, 13]
                    assert nc.new19 == 19 and nc.title == "example" and nc["v"].new19 == "text" * 19
                    assert nc["v"].units == "degree_Celsius" and not hasattr(nc["v"], "new3")
                    assert (nc["w19"][:] == 19).all() and nc["renamed"][:].tolist() == np.arange(10).reshape(2, 5).tolist()
                    assert nc["name"][0].tobytes() == b"aaaaa" and len(nc["h"].dimensions["z"]) == 3
                """);
    }

    @ReferenceTest
    @Test
    void ncoEditsFiles() throws Exception {
        writeExample();
        String other = directory.resolve("other.nc").toString();
        python("""
                import sys, netCDF4
                with netCDF4.Dataset(sys.argv[1].replace("x.nc", "other.nc"), "w") as nc:
                    nc.createDimension("x", 4)
                    nc.createVariable("added", "i4", ("x",))[:] = [1, 2, 3, 4]
                """);
        ReferencePrograms.run(directory, List.of("ncks", "-A", other, file.toString()));
        ReferencePrograms.run(directory, List.of("ncrename", "-v", "v,velocity", file.toString()));
        ReferencePrograms.run(directory, List.of("ncatted", "-O", "-a", "units,velocity,o,c,m/s", file.toString()));
        python("""
                import sys, netCDF4
                with netCDF4.Dataset(sys.argv[1]) as nc:
                    assert nc["added"][:].tolist() == [1, 2, 3, 4] and nc["velocity"].units == "m/s"
                    assert nc["velocity"].shape == (3, 4) and nc["flag"][:].tolist() == [0, 1, 0, 1]
                """);
    }
}
