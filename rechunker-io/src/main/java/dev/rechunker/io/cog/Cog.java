package dev.rechunker.io.cog;

import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import java.nio.file.Path;

/**
 * Creates Cloud Optimized GeoTIFF files, in the layout of GDAL.
 *
 * <p>A file holds one image of two axes, or of three with bands first, and the smaller levels that are asked for with
 * {@link dev.rechunker.Levels}. Its tiles are the chunks. Coordinates and the reference system, as of CF and xarray,
 * become tags of GeoTIFF. To read TIFF, use {@link dev.rechunker.io.tiff.Tiff}.
 */
public final class Cog {
    private Cog() {}

    /**
     * {@return a store that writes a new file}
     *
     * <p>Tiles are written to the directory {@code NAME.part}; the file exists when everything is complete. Nothing can
     * be added to a file that exists; it can be replaced as a whole.
     */
    public static ChunkStore create(Path file) {
        AssembledKeys keys = AssembledKeys.create(file, AssembledKeys.Kind.TIFF);
        return new CogStore(keys, Zarr.create(keys, ZarrFormat.V3));
    }
}
