/**
 * HDF5 files, read: open {@link dev.rechunker.io.hdf5.Hdf5} first.
 *
 * <p>{@code Metadata} is the file as small pieces at addresses, {@code ObjectHeader} an object as messages,
 * {@code Hierarchy} the way to an object. {@code Dataset} says what a dataset's header means, {@code Attributes} and
 * {@code Conventions} what is said about it. {@code Hdf5Reader} reads elements: {@code PlainSource} where they lie as
 * they are, {@code FilteredSource} through the chains of the codec room; {@code ChunkIndex} knows where.
 *
 * <p>The library jhdf takes messages apart: superblock, types, dataspaces, layouts, filters, heaps of names and of
 * objects. It reads no elements and walks no group, as it reads all children of a group to find one, loses fill values
 * and holes, and maps each chunk into memory. Groups, B-trees, fractal heaps and array indexes are read here, one
 * object at a time.
 *
 * <p>Invariants: nothing that a file claims is believed before it is checked against the file's size; walks visit no
 * node twice; checksums are verified wherever there are some; and an object that is not understood is refused by name
 * and hides no other.
 *
 * <p>Source: the HDF5 file format specification, version 3.0. Imports {@code array}, {@code geometry}, {@code memory}
 * and {@code store} of the core, the rooms {@code bytes}, {@code codec} and {@code json}, and {@code io.jhdf}.
 */
@NullMarked
package dev.rechunker.io.hdf5;

import org.jspecify.annotations.NullMarked;
