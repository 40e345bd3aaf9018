/**
 * Parsing and printing of JSON as plain data, without loss. Open {@link dev.rechunker.io.json.Document} first.
 *
 * <p>A copy must not change metadata: numbers keep their kind, NaN does not become {@code "NaN"}, and members keep
 * their order. This package imports {@code Shape} and {@code StoreException} of the core, and knows no format.
 */
@NullMarked
package dev.rechunker.io.json;

import org.jspecify.annotations.NullMarked;
