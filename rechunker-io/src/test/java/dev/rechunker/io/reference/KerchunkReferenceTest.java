package dev.rechunker.io.reference;

import dev.rechunker.Rechunker;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.Stores;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * References that kerchunk, VirtualiZarr and tifffile make to netCDF, HDF5, TIFF and Zarr are read as xarray and
 * tifffile see them.
 */
@ReferenceTest
class KerchunkReferenceTest {
    private static final String SCRIPT = "reference/references.py";

    @TempDir
    Path directory = Path.of("");

    @Test
    void copiesAreIdentical() throws Exception {
        Path here = Files.createDirectory(directory.resolve("references"));
        ReferencePrograms.xarray(here, SCRIPT, "make");
        List<String> pairs = new ArrayList<>(List.of("compare"));
        try (DirectoryStream<Path> documents = Files.newDirectoryStream(here, "*.json")) {
            for (Path document : documents) {
                String name = String.valueOf(document.getFileName());
                Path copy = directory.resolve(name + ".zarr");
                try (ChunkStore references = Stores.open(document);
                        ChunkStore target = Zarr.create(copy)) {
                    Rechunker.from(references)
                            .to(target)
                            .chunks("auto")
                            .maxMem("50MB")
                            .execute();
                }
                pairs.addAll(List.of(name, copy.toString()));
            }
        }
        ReferencePrograms.xarray(here, SCRIPT, pairs.toArray(String[]::new));
    }
}
