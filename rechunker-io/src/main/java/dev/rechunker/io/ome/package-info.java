/**
 * Writes OME-Zarr (OME-NGFF), versions 0.4 and 0.5. Open {@link dev.rechunker.io.ome.OmeZarr} first. The package
 * {@code zarr} reads it.
 *
 * <p>OME-Zarr is Zarr with rules for a whole hierarchy: metadata of a group describe the arrays below, and a single
 * array becomes a group with one level. So the target provides a view of every source as such a hierarchy,
 * {@code OmeView}, and this view is copied; the copy itself knows nothing about OME-Zarr. {@code GroupView} is one
 * group in the view: its {@code Metadata} are kept, or converted to the other version; without metadata an
 * {@code Image} is created. Levels that the copy makes are arrays of its source with hints; {@code LevelImages} says of
 * what they can be made, and {@code LevelPlacement} where their elements are. {@link dev.rechunker.io.ome.OmeImage} is
 * what metadata say of an image, for those who show or make one.
 *
 * <p>Sources: the OME-NGFF specifications 0.4 and 0.5; for attributes with resolutions, files that N5 viewers, Paintera
 * and ilastik write. This package imports {@code array}, {@code geometry}, {@code store} and {@code view} of the core,
 * and the packages {@code zarr}, whose stores it decorates, and {@code bytes}.
 */
@NullMarked
package dev.rechunker.io.ome;

import org.jspecify.annotations.NullMarked;
