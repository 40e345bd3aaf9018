/**
 * Reads and writes Zarr, versions 2 and 3. Open {@link dev.rechunker.io.zarr.Zarr} first.
 *
 * <p>Metadata and chunks are separate. {@code V2Metadata} and {@code V3Metadata} convert between the documents of a
 * version and an {@code ArraySpec}. {@code Layout} contains the other information that is needed to find and decode a
 * chunk; readers and writers use a layout and do not depend on the version. {@code Hierarchy} finds nodes, and
 * {@code ZarrStore} combines all of these.
 *
 * <p>Elements keep the byte order in which they are stored. Unknown features of documents are refused with their names.
 * An array is written in this order: a note that it is unfinished, chunks, metadata, removal of the note. So an array
 * with metadata and without a note is complete.
 *
 * <p>Sources: the Zarr version 2 and version 3 core specifications, the specifications of the {@code sharding_indexed}
 * codec, the chunk key encodings and the data types of the zarr-extensions registry, and for version 2 files that
 * zarr-python and numcodecs write. This package imports {@code array}, {@code geometry}, {@code copy}, {@code journal},
 * {@code resource} and {@code store} of the core, and the packages {@code bytes}, {@code codec}, {@code json} and
 * {@code tree}.
 */
@NullMarked
package dev.rechunker.io.zarr;

import org.jspecify.annotations.NullMarked;
