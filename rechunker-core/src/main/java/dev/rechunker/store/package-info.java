/**
 * What a storage backend implements, and a store in memory.
 *
 * <p>Open {@link dev.rechunker.store.ChunkStore} first, then {@link dev.rechunker.store.ArrayReader} and
 * {@link dev.rechunker.store.ArrayWriter}. The interfaces are the minimum that the engine needs. They are not for
 * looking at data: there is no slicing, no cache and no conversion. The contract kit, {@code ChunkStoreContract} of the
 * artifact {@code rechunker-testkit}, tests a backend clause by clause. {@link dev.rechunker.store.SpillStore} keeps
 * temporary values.
 *
 * <p>What only some stores can do is an optional interface, which a method of the store, its reader or its writer
 * returns as an {@link java.util.Optional}. A backend implements the interface on the same class and returns itself, if
 * this store has the ability. This is not left to {@code instanceof} for three reasons:
 *
 * <ul>
 *   <li>One class serves stores with and without an ability: a Zarr store can resume an array in a directory, but not
 *       in an object store.
 *   <li>A wrapper has exactly the abilities of what it wraps, without a class for each combination:
 *       {@link dev.rechunker.store.ForwardingStore} implements all of them, and returns itself where the other store
 *       has the ability. A test calls every method of every interface, so none is added without being forwarded.
 *   <li>A new ability is a new method with an empty default, which breaks no existing store.
 * </ul>
 *
 * <p>Values that describe a store ({@link dev.rechunker.store.Capabilities}, {@link dev.rechunker.store.ReadTraits},
 * {@link dev.rechunker.store.WriteTraits}) are built by name, so that a new figure breaks no existing store either.
 *
 * <p>Regions and indices are in C order. Elements are passed in the byte order that {@code ArraySpec} names.
 */
@NullMarked
package dev.rechunker.store;

import org.jspecify.annotations.NullMarked;
