/**
 * OME-Zarr (OME-NGFF), versions 0.4 and 0.5, writing: open {@link dev.rechunker.io.ome.OmeZarr} first. What is written
 * {@code Zarr} reads.
 *
 * <p>OME-Zarr is Zarr with rules for a whole hierarchy: metadata of a group speak of the arrays below, and a single
 * array is a group with one level. So the target shows every source as the hierarchy that the rules ask for,
 * {@code OmeView}, and that is copied; no step of the copy itself knows OME. {@code GroupView} is what becomes of one
 * group: {@code Metadata} that it has are carried over, or said in the words of the other version; where there are none
 * an {@code Image} is made. Levels are never computed anew.
 *
 * <p>Sources: the OME-NGFF specifications 0.4 and 0.5; for attributes that state resolutions, what N5 viewers, Paintera
 * and ilastik write. Imports {@code array}, {@code geometry} and {@code store} of the core, and the rooms {@code zarr},
 * whose door it decorates, and {@code bytes}.
 */
@NullMarked
package dev.rechunker.io.ome;

import org.jspecify.annotations.NullMarked;
