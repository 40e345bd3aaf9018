/**
 * Reads TIFF and BigTIFF files by range. Open {@link dev.rechunker.io.tiff.Tiff} first.
 *
 * <p>From bytes to arrays: {@code TiffFile} finds the pages, and {@code Directory} is the tags of one;
 * {@code PageLayout} says how elements are stored, and is checked and compared; {@code Page} has the places of chunks.
 * {@code TiffImages} makes {@code Contents} of pages: arrays of pages of one layout, by what the file says of itself
 * ({@code OmeImages}, {@code ImageJStack}, {@code GeoImage}), or {@code PlainImages} by layout alone.
 * {@code TiffReader} reads an array, with {@code Decoders}, the table of compressions.
 *
 * <p>A file may lie: each position and count is checked against the file before it is used, no more is allocated than
 * the file has bytes, and lists of pages that do not end are refused.
 *
 * <p>Sources: TIFF revision 6.0; BigTIFF; TIFF technical notes 2 and 3; OGC GeoTIFF 1.1; the OME data model; for stacks
 * of ImageJ, files that ImageJ writes. This package imports {@code array}, {@code copy}, {@code element},
 * {@code geometry}, {@code hierarchy}, {@code resource} and {@code store} of the core, and {@code bytes},
 * {@code codec}, {@code file}, {@code ome} and {@code xml}.
 */
@NullMarked
package dev.rechunker.io.tiff;

import org.jspecify.annotations.NullMarked;
