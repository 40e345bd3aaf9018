/**
 * JSON as plain data, read and written without losing anything: open {@link dev.rechunker.io.json.Document} first.
 *
 * <p>Metadata that a copy carries must come out as they went in: numbers keep their kind, NaN is not {@code "NaN"}, and
 * members keep their order. Imports {@code Shape} and {@code StoreException} of the core, and knows no format.
 */
@NullMarked
package dev.rechunker.io.json;

import org.jspecify.annotations.NullMarked;
