/**
 * Writing HDF5 files, without an HDF5 library: open {@code Hdf5Target} first.
 *
 * <p>It makes new files of the format of HDF5 1.8: a superblock and object headers of version 2, hard links in the
 * headers of groups, chunks with an index of version 1, or contiguous elements. {@code DatasetSpec} says what an array
 * is in HDF5 and refuses what HDF5 cannot hold; {@code MessageBytes} and the classes that use it make the bytes of
 * metadata; {@code Hdf5Writer} and its two kinds write elements; {@code FileSession} puts a file together.
 *
 * <p>A file is {@code NAME.part} until it is whole. Space in it is taken by adding to one number, so any number of
 * threads append chunks without a lock. The index of an array is written when the array is committed, headers when the
 * file is finished, the superblock last; then the file is renamed.
 *
 * <p>Sources: the HDF5 File Format Specification, version 3.0; the HDF5 Dimension Scale Specification; what h5py and
 * the HDF5 library write for booleans, complex numbers and texts. Imports {@code array}, {@code geometry},
 * {@code copy}, {@code resource} and {@code store} of the core, and the packages {@code bytes}, {@code codec},
 * {@code hdf5.format} and {@code json}.
 */
@NullMarked
package dev.rechunker.io.hdf5.write;

import org.jspecify.annotations.NullMarked;
