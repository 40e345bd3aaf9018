/**
 * Zarr, versions 2 and 3, reading and writing: open {@link dev.rechunker.io.zarr.Zarr} first.
 *
 * <p>Metadata and chunks are kept apart. {@code V2Metadata} and {@code V3Metadata} translate between the documents of a
 * version and an {@code ArraySpec}; {@code Layout} is what remains to be known to find and read a chunk; readers and
 * writers work on a layout and know no version. {@code Hierarchy} finds nodes, {@code ZarrStore} puts it together.
 *
 * <p>Elements stay in the byte order they are stored in. What a document asks for and this room does not understand is
 * refused by name. An array is written in the order: a note that it is under way, chunks, metadata, removal of the
 * note; so an array without a note is whole.
 *
 * <p>Sources: the Zarr version 2 and version 3 core specifications, the specifications of the {@code sharding_indexed}
 * codec, the chunk key encodings and the data types of the zarr-extensions registry, and for version 2 what zarr-python
 * and numcodecs write. Imports {@code array}, {@code geometry}, {@code copy}, {@code journal}, {@code memory} and
 * {@code store} of the core, and the rooms {@code bytes}, {@code codec}, {@code json} and {@code tree}.
 */
@NullMarked
package dev.rechunker.io.zarr;

import org.jspecify.annotations.NullMarked;
