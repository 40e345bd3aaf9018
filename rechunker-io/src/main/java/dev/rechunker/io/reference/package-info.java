/**
 * References: a document that has the metadata of Zarr arrays, and for each chunk where its bytes are in other files.
 * kerchunk and VirtualiZarr write them. Open {@link dev.rechunker.io.reference.References} first.
 *
 * <p>A document becomes a key store, {@code ReferenceKeys}, in which the package {@code zarr} finds arrays as in any
 * other. The keys are kept in a compact table, as a document may have millions of them. Documents are not trusted: they
 * cannot lead to local files that the user did not allow.
 */
@NullMarked
package dev.rechunker.io.reference;

import org.jspecify.annotations.NullMarked;
