/**
 * Parsing and printing of JSON as plain data. Open {@link dev.rechunker.io.json.Document} first.
 *
 * <p>A copy must not change metadata: numbers keep their kind, and members keep their order. Only numbers that JSON
 * lacks become texts. This package imports {@code Shape} and {@code StoreException} of the core, and knows no format.
 */
@NullMarked
package dev.rechunker.io.json;

import org.jspecify.annotations.NullMarked;
