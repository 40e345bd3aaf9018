/**
 * Keys and the bytes behind them: open {@link dev.rechunker.io.bytes.KeyStore} first.
 *
 * <p>A key is a relative path of parts joined by slashes. It never leads out of its store: malformed keys and links
 * that point elsewhere are refused. Values are read by range into the caller's buffers and published whole; no value is
 * cached, and what is held behind a caller's back is declared. Imports {@code geometry}, {@code journal},
 * {@code memory} and {@code store} of the core, and knows no format. What takes values in parts also keeps spills
 * ({@link dev.rechunker.io.bytes.KeySpill}).
 */
@NullMarked
package dev.rechunker.io.bytes;

import org.jspecify.annotations.NullMarked;
