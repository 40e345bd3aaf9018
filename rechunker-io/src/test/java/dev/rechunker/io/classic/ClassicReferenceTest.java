package dev.rechunker.io.classic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.Stores;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of the classic format that netCDF4-python and nccopy wrote come back from Zarr and netCDF-4 as they were, and
 * are the same as netCDF-4: xarray sees the same dataset, and ncdump prints the same.
 */
@ReferenceTest
class ClassicReferenceTest {
    private static final int FILES = 50;

    @TempDir
    Path directory;

    private static List<String> copy(ChunkStore from, ChunkStore to) throws Exception {
        try (from;
                to) {
            return Rechunker.from(from).to(to).chunks("keep").maxMem("200MB").execute().losses().stream()
                    .filter(loss -> loss.kind() != Loss.Kind.LAYOUT)
                    .map(Loss::toString)
                    .toList();
        }
    }

    private List<Path> files() throws Exception {
        ReferencePrograms.xarray(directory, "xarray/netcdf.py", "make", directory.toString());
        ReferencePrograms.xarray(directory, "netcdf/make_classic.py", "convert", directory.toString());
        Path made = Files.createDirectory(directory.resolve("made"));
        ReferencePrograms.xarray(directory, "netcdf/make_classic.py", "make", made.toString());
        List<Path> files = new ArrayList<>();
        try (Stream<Path> converted = Files.list(directory);
                Stream<Path> all = Files.list(made)) {
            Stream.concat(converted.filter(file -> file.toString().endsWith(".cdf")), all)
                    .sorted()
                    .forEach(files::add);
        }
        return files;
    }

    @Test
    void filesComeBackAsTheyWere() throws Exception {
        List<Path> files = files();
        assertTrue(files.size() >= FILES, files::toString);
        List<String> pairs = new ArrayList<>(List.of("compare"));
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            boolean isByNetcdf4 = i % 3 == 2;
            String name = i + "-" + file.getFileName();
            Path between = directory.resolve(name + (isByNetcdf4 ? ".nc4" : ".zarr"));
            Path back = directory.resolve(name + ".back");
            try {
                ChunkStore to = isByNetcdf4
                        ? Hdf5.createNetcdf4(between)
                        : Zarr.create(between, i % 3 == 0 ? ZarrFormat.V2 : ZarrFormat.V3);
                List<String> losses = new ArrayList<>(copy(NetcdfClassic.open(file), to));
                losses.addAll(copy(Stores.open(between), NetcdfClassic.create(back)));
                losses.forEach(loss -> problems.add(back + ": " + loss));
                pairs.addAll(List.of(file.toString(), back.toString()));
                if (isByNetcdf4) {
                    pairs.addAll(List.of(file.toString(), between.toString()));
                }
            } catch (Exception e) {
                problems.add(back + ": " + e);
            }
        }
        try {
            ReferencePrograms.xarray(directory, "xarray/netcdf.py", pairs.toArray(String[]::new));
        } catch (AssertionError e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        assertTrue(problems.isEmpty(), () -> String.join("\n", problems));
    }
}
