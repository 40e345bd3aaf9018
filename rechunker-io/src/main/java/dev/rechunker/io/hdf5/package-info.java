/**
 * HDF5 files: open {@link dev.rechunker.io.hdf5.Hdf5} first.
 *
 * <p>Reading: {@code Metadata} is the file as small pieces at addresses, {@code ObjectHeader} an object as messages,
 * {@code Hierarchy} the way to an object. {@code Dataset} says what a dataset's header means, {@code Attributes} and
 * {@code Conventions} what is said about it. {@code Hdf5Reader} reads elements: {@code PlainSource} where they lie as
 * they are, {@code FilteredSource} through the chains of the codec room; {@code ChunkIndex} knows where.
 *
 * <p>The library jhdf takes messages apart: superblock, types, dataspaces, layouts, filters, heaps of names and of
 * objects. It reads no elements and walks no group, as it reads all children of a group to find one, loses fill values
 * and holes, and maps each chunk into memory. Groups, B-trees, fractal heaps and array indexes are read here, one
 * object at a time.
 *
 * <p>Nothing that a file claims is believed before it is checked against the file's size; walks visit no node twice;
 * checksums are verified wherever there are some; and an object that is not understood is refused by name and hides no
 * other.
 *
 * <p>Writing is {@code Hdf5Target} and the classes that begin with {@code H5}, and knows no HDF5 library. It makes new
 * files of the format of HDF5 1.8: a superblock and object headers of version 2, hard links in the headers of groups,
 * chunks with an index of version 1 or contiguous elements. {@code H5Array} says what a spec is in HDF5 and refuses
 * what HDF5 cannot hold; {@code H5Bytes} and the classes that use it make the bytes of metadata; {@code Hdf5Writer} and
 * its two kinds write elements; {@code H5Session} puts it together.
 *
 * <p>A file is {@code NAME.part} until it is whole. Space in it is taken by adding to one number, so chunks are
 * appended by any number of threads without a lock. An array's index is written when it is committed, headers when the
 * file is finished, the superblock last; then the file is renamed.
 *
 * <p>Sources: the HDF5 File Format Specification, version 3.0; the HDF5 Dimension Scale Specification; what h5py and
 * the HDF5 library write for booleans, complex numbers and texts. Imports {@code array}, {@code geometry},
 * {@code copy}, {@code memory} and {@code store} of the core, the rooms {@code bytes}, {@code codec} and {@code json},
 * and {@code io.jhdf}.
 */
@NullMarked
package dev.rechunker.io.hdf5;

import org.jspecify.annotations.NullMarked;
