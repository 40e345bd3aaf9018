/**
 * Stores of byte values under keys: files, zip files, web servers, memory. Open {@link dev.rechunker.io.bytes.KeyStore}
 * first.
 *
 * <p>A key is a relative path of names joined by slashes. It never leads out of its store: malformed keys, and links
 * that point elsewhere, are refused. Values are read by range into the caller's buffers and become visible as a whole.
 * No value is cached, and memory that a store uses by itself is declared. A store that takes values in parts can also
 * hold temporary data of a plan ({@link dev.rechunker.io.bytes.KeySpill}).
 *
 * <p>This package imports {@code geometry}, {@code journal}, {@code resource} and {@code store} of the core, and knows
 * no format.
 */
@NullMarked
package dev.rechunker.io.bytes;

import org.jspecify.annotations.NullMarked;
