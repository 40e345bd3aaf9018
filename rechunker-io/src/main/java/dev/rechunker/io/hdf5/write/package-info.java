/**
 * Writes HDF5 files, without an HDF5 library. Read {@code Hdf5Target} first.
 *
 * <p>It creates new files in the format of HDF5 1.8: with a superblock and object headers of version 2, hard links in
 * the headers of groups, and datasets that are contiguous or have a chunk index of version 1. {@code DatasetSpec}
 * describes an array in HDF5, and refuses arrays that HDF5 cannot store. {@code MessageBytes} and the classes that use
 * it create metadata. {@code Hdf5Writer} and its two subclasses write elements. {@code FileSession} writes a file as a
 * whole.
 *
 * <p>A file is named {@code NAME.part} until it is complete. Space is allocated by adding to an atomic number, so that
 * any number of threads append chunks without a lock. The index of an array is written when the array is committed.
 * Headers are written when the file is finished, then the superblock; then the file is renamed.
 *
 * <p>Sources: the HDF5 File Format Specification, version 3.0; the HDF5 Dimension Scale Specification; files written by
 * h5py and the HDF5 library for booleans, complex numbers and texts. Imports {@code array}, {@code geometry},
 * {@code copy}, {@code resource} and {@code store} of the core, and the packages {@code bytes}, {@code codec},
 * {@code hdf5.format} and {@code json}.
 */
@NullMarked
package dev.rechunker.io.hdf5.write;

import org.jspecify.annotations.NullMarked;
