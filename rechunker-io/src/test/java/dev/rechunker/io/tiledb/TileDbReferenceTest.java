package dev.rechunker.io.tiledb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Rechunker;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.Stores;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays of every kind that tiledb-py writes are the same in Zarr, element by element. */
@ReferenceTest
class TileDbReferenceTest {
    private static final String SCRIPT = "tiledb/tiledb_arrays.py";

    @TempDir
    Path directory;

    @Test
    void arraysOfTiledbPyAreTheSameInZarr() throws Exception {
        Path made = directory.resolve("made");
        Path copy = directory.resolve("copy.zarr");
        ReferencePrograms.tiledb(directory, SCRIPT, "make", made.toString());
        try (ChunkStore from = Stores.open(made);
                ChunkStore to = Zarr.create(copy, ZarrFormat.V3)) {
            List<String> losses =
                    Rechunker.from(from).to(to).chunks("keep").maxMem("200MB").codec("none").execute().losses().stream()
                            .filter(loss -> loss.kind() != Loss.Kind.LAYOUT)
                            .map(Loss::toString)
                            .toList();
            assertEquals(List.of(), losses);
        }
        ReferencePrograms.tiledb(directory, SCRIPT, "compare", made.toString(), copy.toString());
    }

    @Test
    void arraysInOtherTilesAreTheSameForTiledbPy() throws Exception {
        Path made = directory.resolve("made");
        Path copy = directory.resolve("copy.tdb");
        ReferencePrograms.tiledb(directory, SCRIPT, "make", made.toString());
        try (ChunkStore from = Stores.open(made);
                ChunkStore to = Stores.create(copy)) {
            Rechunker.from(from).to(to).chunks("1kB").maxMem("200MB").verify().execute();
        }
        ReferencePrograms.tiledb(directory, SCRIPT, "same", made.toString(), copy.toString());
    }
}
