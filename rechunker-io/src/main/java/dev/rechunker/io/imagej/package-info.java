/**
 * Images of ImageJ as sources, and stored arrays as images of ImageJ. Open
 * {@link dev.rechunker.io.imagej.ImagePlusArrays} first.
 *
 * <p>An image of ImageJ is a group with OME metadata, as in OME-Zarr, so that its calibration and the colours of its
 * channels come with every copy: {@code ImagePlusMetadata} makes them, {@code PlaneReader} reads its planes. The other
 * way round, {@code StoredImagePlus} makes a virtual stack of what {@link dev.rechunker.io.ome.OmeImage} says of an
 * array.
 *
 * <p>This package imports the core, ImageJ, ImgLib2 with the package {@code imglib2} for cached cells, and the packages
 * {@code ome} and {@code xml} for metadata.
 */
@NullMarked
package dev.rechunker.io.imagej;

import org.jspecify.annotations.NullMarked;
