package dev.rechunker.io;

import dev.rechunker.testing.ApiSignatures;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What users program against. The other packages are public for each other only. */
class ApiTest {
    /** Shows each change of the API in review. CONTRIBUTING says how to write the file again. */
    @Test
    void signaturesAreThoseOfTheFile() throws IOException {
        ApiSignatures.of(
                        Stores.class,
                        "dev.rechunker.io",
                        "dev.rechunker.io.bytes",
                        "dev.rechunker.io.concat",
                        "dev.rechunker.io.hdf5",
                        "dev.rechunker.io.imglib2",
                        "dev.rechunker.io.jobs",
                        "dev.rechunker.io.n5",
                        "dev.rechunker.io.ome",
                        "dev.rechunker.io.s3",
                        "dev.rechunker.io.zarr")
                .check(Path.of("api.txt"));
    }
}
