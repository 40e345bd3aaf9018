/**
 * What a storage backend implements, and the in-memory reference.
 *
 * <p>Open {@link dev.rechunker.store.ChunkStore} first, then {@link dev.rechunker.store.ArrayReader} and
 * {@link dev.rechunker.store.ArrayWriter}. The interfaces are the minimum that the engine needs. They are not an API to
 * look at data with: there is no slicing, no cache and no conversion. A backend is tested with the contract kit of
 * {@code rechunker-testkit}. {@link dev.rechunker.store.SpillStore} is what keeps temporary values, and
 * {@link dev.rechunker.store.SpillCodec} what compresses temporary files.
 *
 * <p>Regions and indices are in C order. Elements cross this interface in the byte order that {@code ArraySpec} names.
 */
@NullMarked
package dev.rechunker.store;

import org.jspecify.annotations.NullMarked;
