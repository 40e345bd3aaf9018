/**
 * HDF5. Writing: open {@link dev.rechunker.io.hdf5.Hdf5Target} first.
 *
 * <p>The writer is this project's own and knows no HDF5 library. It writes new files of the format of HDF5 1.8: a
 * superblock and object headers of version 2, hard links in the headers of groups, chunks with an index of version 1 or
 * contiguous elements. {@code H5Array} says what a spec is in HDF5 and refuses what HDF5 cannot hold; {@code H5Bytes}
 * and the classes that use it make the bytes of metadata; {@code Hdf5Writer} and its two kinds write elements;
 * {@code H5Session} puts it together.
 *
 * <p>A file is {@code NAME.part} until it is whole. Space in it is taken by adding to one number, so chunks are
 * appended by any number of threads without a lock. An array's index is written when it is committed, headers when the
 * file is finished, the superblock last; then the file is renamed.
 *
 * <p>Sources: the HDF5 File Format Specification, version 3.0; the HDF5 Dimension Scale Specification; what h5py and
 * the HDF5 library write for booleans, complex numbers and texts. Imports {@code array}, {@code geometry},
 * {@code copy}, {@code memory} and {@code store} of the core, and the rooms {@code bytes}, {@code codec} and
 * {@code json}.
 */
@NullMarked
package dev.rechunker.io.hdf5;

import org.jspecify.annotations.NullMarked;
