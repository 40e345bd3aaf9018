/**
 * Reading HDF5 files: open {@code Hdf5Store} first.
 *
 * <p>{@code FileMetadata} reads small pieces of the file at addresses, {@code ObjectHeader} an object as messages,
 * {@code ObjectFinder} finds an object by its path. {@code Dataset} says what a dataset's header means,
 * {@code ObjectAttributes} and {@code ConventionReader} what its attributes mean. {@code Hdf5Reader} reads elements:
 * {@code PlainSource} those without filters, {@code FilteredSource} the others through chains of codecs;
 * {@code ChunkIndex} says where chunks are.
 *
 * <p>The library jhdf parses messages: superblock, types, dataspaces, layouts, filters, heaps of names and of objects.
 * It reads no elements and walks no group here, as it reads all children of a group to find one, loses fill values and
 * holes, and maps each chunk into memory. Groups, B-trees, fractal heaps and array indexes are read by this package,
 * one object at a time.
 *
 * <p>Nothing that a file claims is believed before it is checked against the file's size; walks visit no node twice;
 * checksums are verified wherever there are some; and an object that is not understood is refused by name and hides no
 * other.
 *
 * <p>Source: the HDF5 File Format Specification, version 3.0. Imports {@code array}, {@code geometry}, {@code resource}
 * and {@code store} of the core, the packages {@code bytes}, {@code codec}, {@code hdf5.format} and {@code json}, and
 * {@code io.jhdf}.
 */
@NullMarked
package dev.rechunker.io.hdf5.read;

import org.jspecify.annotations.NullMarked;
