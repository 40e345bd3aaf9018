package dev.rechunker.io;

import dev.rechunker.testing.ApiSignatures;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Compares the API of this module with {@code api.txt}. Packages that are not listed are not part of the API. */
class ApiTest {
    /** Makes each change of the API visible in review. CONTRIBUTING.md says how to update the file. */
    @Test
    void signaturesAreThoseOfTheFile() throws IOException {
        ApiSignatures.of(
                        Stores.class,
                        "dev.rechunker.io",
                        "dev.rechunker.io.azure",
                        "dev.rechunker.io.bytes",
                        "dev.rechunker.io.concat",
                        "dev.rechunker.io.gcs",
                        "dev.rechunker.io.classic",
                        "dev.rechunker.io.hadoop",
                        "dev.rechunker.io.hdf5",
                        "dev.rechunker.io.imagej",
                        "dev.rechunker.io.imglib2",
                        "dev.rechunker.io.jobs",
                        "dev.rechunker.io.microscopy",
                        "dev.rechunker.io.n5",
                        "dev.rechunker.io.ome",
                        "dev.rechunker.io.s3",
                        "dev.rechunker.io.reference",
                        "dev.rechunker.io.cog",
                        "dev.rechunker.io.tiff",
                        "dev.rechunker.io.tiledb",
                        "dev.rechunker.io.zarr")
                .check(Path.of("api.txt"));
    }
}
