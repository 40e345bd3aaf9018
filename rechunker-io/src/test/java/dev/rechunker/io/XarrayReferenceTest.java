package dev.rechunker.io;

import dev.rechunker.Rechunker;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** xarray sees the same dataset in a copy as in its source: values, missing values, names, attributes, packing. */
@ReferenceTest
class XarrayReferenceTest {
    private static final List<String> NETCDF = List.of("packed", "fills", "texts", "attributes");

    @TempDir
    Path directory;

    @BeforeEach
    void makeDatasets() throws Exception {
        ReferencePrograms.xarray(directory, "xarray/reference.py", "make", directory.toString());
    }

    private Path at(String name) {
        return directory.resolve(name);
    }

    private static void copy(ChunkStore from, ChunkStore to, String chunks) throws Exception {
        try (from;
                to) {
            Rechunker.from(from).to(to).chunks(chunks).maxMem("50MB").execute();
        }
    }

    /** Compares pairs of files. */
    private void compare(List<String> names) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("compare"));
        names.forEach(name -> arguments.add(at(name).toString()));
        ReferencePrograms.xarray(directory, "xarray/reference.py", arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void netcdfBecomesZarr(ZarrFormat format) throws Exception {
        List<String> pairs = new ArrayList<>();
        for (String name : NETCDF) {
            copy(Hdf5.open(at(name + ".nc")), Zarr.create(at(name + ".zarr"), format), "keep");
            pairs.addAll(List.of(name + ".nc", name + ".zarr"));
        }
        compare(pairs);
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void netcdfComesBackFromZarr(ZarrFormat format) throws Exception {
        List<String> pairs = new ArrayList<>();
        for (String name : NETCDF) {
            copy(Hdf5.open(at(name + ".nc")), Zarr.create(at(name + ".zarr"), format), "keep");
            copy(Zarr.open(at(name + ".zarr")), Hdf5.create(at(name + "-back.nc")), "keep");
            pairs.addAll(List.of(name + ".nc", name + "-back.nc"));
        }
        compare(pairs);
    }

    @Test
    void aVariableBringsItsCoordinates() throws Exception {
        for (String target : List.of("v2.zarr", "v3.zarr", "v.nc")) {
            try (ChunkStore from = Hdf5.open(at("packed.nc"));
                    ChunkStore to = target.equals("v.nc")
                            ? Hdf5.create(at(target))
                            : Zarr.create(at(target), target.equals("v2.zarr") ? ZarrFormat.V2 : ZarrFormat.V3)) {
                Rechunker.from(from.at("v")).to(to).chunks(2, 3).maxMem("50MB").execute();
            }
            ReferencePrograms.xarray(
                    directory,
                    "xarray/reference.py",
                    "variable",
                    "v",
                    at("packed.nc").toString(),
                    at(target).toString());
        }
    }

    @Test
    void storesOfXarrayAreRechunked() throws Exception {
        List<String> pairs = new ArrayList<>();
        for (int from : new int[] {2, 3}) {
            for (ZarrFormat to : ZarrFormat.values()) {
                String source = "stores" + from + ".zarr";
                String target = from + "-" + to + ".zarr";
                copy(Zarr.open(at(source)), Zarr.create(at(target), to), "x=2, ...=-1");
                pairs.addAll(List.of(source, target));
            }
        }
        compare(pairs);
    }
}
