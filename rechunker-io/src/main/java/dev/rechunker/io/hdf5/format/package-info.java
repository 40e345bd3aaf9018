/**
 * What reading and writing HDF5 files have in common: names and conventions in files, and the filters that this library
 * writes. Read {@code Conventions} first.
 *
 * <p>Sources: the HDF5 File Format Specification, version 3.0; the HDF5 Dimension Scale Specification; files written by
 * netCDF-4, n5-hdf5 and h5py. Imports {@code array} and {@code store} of the core, and the packages {@code bytes},
 * {@code codec} and {@code json}.
 */
@NullMarked
package dev.rechunker.io.hdf5.format;

import org.jspecify.annotations.NullMarked;
