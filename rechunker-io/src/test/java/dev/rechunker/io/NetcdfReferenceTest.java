package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that netCDF4, xarray, NCO, CDO, ncgen and nccopy wrote come back from Zarr as they were: xarray sees the same
 * dataset, and ncdump prints the same, apart from chunks and codecs.
 */
@ReferenceTest
class NetcdfReferenceTest {
    private static final int FILES = 48;

    @TempDir
    Path directory;

    private static List<Loss> copy(ChunkStore from, ChunkStore to) throws Exception {
        try (from;
                to) {
            Report report =
                    Rechunker.from(from).to(to).chunks("keep").maxMem("200MB").execute();
            return report.losses().stream()
                    .filter(loss -> loss.kind() != Loss.Kind.LAYOUT)
                    .toList();
        }
    }

    @Test
    void netcdfComesBackFromZarr() throws Exception {
        ReferencePrograms.xarray(directory, "xarray/netcdf.py", "make", directory.toString());
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.toString().endsWith(".nc")).sorted().toList();
        }
        assertTrue(files.size() >= FILES, files::toString);
        List<String> pairs = new ArrayList<>(List.of("compare"));
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            for (ZarrFormat format : ZarrFormat.values()) {
                Path zarr = directory.resolve(file.getFileName() + "-" + format + ".zarr");
                Path back = directory.resolve(file.getFileName() + "-" + format + ".back");
                try {
                    List<Loss> losses = new ArrayList<>(copy(Hdf5.open(file), Zarr.create(zarr, format)));
                    losses.addAll(copy(Zarr.open(zarr), Hdf5.createNetcdf4(back)));
                    problems.addAll(Loss.sentences(losses));
                    pairs.addAll(List.of(file.toString(), back.toString()));
                } catch (Exception e) {
                    problems.add(back + ": " + e);
                }
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
