package dev.rechunker.io.zarr;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.RampSource;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** zarr-python 2 and 3 read zip files that we write. */
@ReferenceTest
class ZipReferenceTest {
    @TempDir
    Path temporary;

    private String written(String name, ChunkStore target) throws Exception {
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(40, 64, 64), Shape.of(10, 32, 32)), DataType.UINT16)
                .dimensionNames(List.of("z", "y", "x"))
                .build();
        try (target) {
            Rechunker.Job job = Rechunker.from(RampSource.of(spec))
                    .to(target)
                    .chunks(16, 16, 32)
                    .maxMem("32MB");
            (target instanceof OmeZarr ? job.levels(Levels.auto().count(2)) : job).execute();
        }
        return temporary.resolve(name).toString();
    }

    @Test
    void zipFilesAreRead() throws Exception {
        String v2 = written("v2.zarr.zip", Zarr.createZip(temporary.resolve("v2.zarr.zip"), ZarrFormat.V2));
        String v3 = written("v3.zarr.zip", Zarr.createZip(temporary.resolve("v3.zarr.zip"), ZarrFormat.V3));
        String ome = written("image.ozx", OmeZarr.createZip(temporary.resolve("image.ozx")));
        ReferencePrograms.python(temporary, "zarr/zip.py", v2);
        ReferencePrograms.xarray(temporary, "zarr/zip.py", v2, v3, ome);
    }
}
