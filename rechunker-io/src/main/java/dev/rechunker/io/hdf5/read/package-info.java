/**
 * Reads HDF5 files. Read {@code Hdf5Store} first.
 *
 * <p>{@code FileMetadata} reads small pieces of the file at addresses. {@code ObjectHeader} reads the header of an
 * object as messages, and {@code ObjectFinder} finds an object by its path. {@code Dataset} interprets the header of a
 * dataset; {@code ObjectAttributes} and {@code ConventionReader} interpret its attributes. {@code Hdf5Reader} reads
 * elements: {@code PlainSource} those without filters, {@code FilteredSource} the others with a chain of codecs.
 * {@code ChunkIndex} has the positions of chunks. {@code VirtualResolver} finds the sources of a virtual dataset, and
 * {@code VirtualReader} reads it.
 *
 * <p>The library jhdf parses the superblock, messages with types, dataspaces, layouts and filters, and local and global
 * heaps. It is not used to find objects, because it reads all children of a group to find one. It is not used to read
 * elements, because it ignores fill values and missing chunks, and maps each chunk into memory. This package reads
 * groups, B-trees, fractal heaps and array indexes itself, one object at a time.
 *
 * <p>Sizes and addresses in a file are checked against the size of the file before they are used. No node of a tree is
 * visited twice. All checksums are verified. An object that is not supported is refused by name, and does not affect
 * others.
 *
 * <p>Source: the HDF5 File Format Specification, version 3.0. Imports {@code array}, {@code geometry}, {@code resource}
 * and {@code store} of the core, the packages {@code bytes}, {@code codec}, {@code hdf5.format} and {@code json}, and
 * {@code io.jhdf}.
 */
@NullMarked
package dev.rechunker.io.hdf5.read;

import org.jspecify.annotations.NullMarked;
