/**
 * Shows files of microscopes and viewers as images: Imaris and BigDataViewer. Open
 * {@link dev.rechunker.io.microscopy.Imaris} first.
 *
 * <p>These formats keep an array of three dimensions for each resolution level, time point and channel, in HDF5 or N5.
 * An {@code ImageStore} is a view of such a store in which each image is a group with OME metadata, as in OME-Zarr, and
 * with one array of five dimensions for each level, a {@code StackedLevel}.
 *
 * <p>Sources: the description of the file format of Imaris 5.5; BigDataViewer's papers, its wiki, and files that it and
 * npy2bdv write. This package imports {@code array}, {@code geometry}, {@code store} and {@code view} of the core, and
 * the packages {@code bytes}, {@code hdf5} and {@code n5}, whose stores it views, {@code concat}, {@code ome} and
 * {@code xml}.
 */
@NullMarked
package dev.rechunker.io.microscopy;

import org.jspecify.annotations.NullMarked;
