/**
 * Arrays of TileDB in directories of this machine, by the library {@code io.tiledb:tiledb-java}. Open
 * {@link dev.rechunker.io.tiledb.TileDb} first.
 *
 * <p>{@code Native} makes contexts of the library and explains its errors; {@code OpenArray} and {@code OpenGroup} are
 * its objects with access to what it does not offer: metadata of every type, and members of groups without a name.
 * {@code CellType}, {@code Filters} and {@code MetadataValue} say what types, filters and metadata of TileDB mean,
 * {@code StoredSchema} what all attributes of an array are. {@code TileDbStore} reads a directory: each is a
 * {@code TileDbArray} or a {@code TileDbGroup}. {@code TileDbTarget} writes one, as a {@code TileDbTree} that gets its
 * name at the end: {@code TileDbSpec} has the rules for arrays, and {@code ArrayCreation} creates them.
 *
 * <p>The library crashes the JVM if it is asked to read a value that does not exist, so no value is read before its
 * pointer, and no closed object is used.
 *
 * <p>Sources: the documentation of TileDB's data model and of its C API. This package imports {@code array},
 * {@code geometry}, {@code hierarchy}, {@code resource} and {@code store} of the core, and {@code bytes}, {@code json}
 * and {@code tree}.
 */
@NullMarked
package dev.rechunker.io.tiledb;

import org.jspecify.annotations.NullMarked;
