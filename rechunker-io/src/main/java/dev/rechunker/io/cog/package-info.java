/**
 * Cloud Optimized GeoTIFF files as targets. Open {@link dev.rechunker.io.cog.Cog} first.
 *
 * <p>Tiles are written as chunks of Zarr in a directory beside the file, of which the file is made in the end. That is
 * how copies are resumed, and levels made of what is written. Finished files are read by {@code tiff}.
 */
@NullMarked
package dev.rechunker.io.cog;

import org.jspecify.annotations.NullMarked;
