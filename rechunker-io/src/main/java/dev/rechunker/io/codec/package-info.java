/**
 * How chunks are encoded: one {@link dev.rechunker.io.codec.Codec} per algorithm, and chains of them.
 *
 * <p>Codecs work on direct buffers and write into the caller's buffer; what they need besides they declare and take
 * from the caller's scratch. Imports {@code array}, {@code copy} and {@code memory} of the core, and the compression
 * libraries, which no other room sees.
 */
@NullMarked
package dev.rechunker.io.codec;

import org.jspecify.annotations.NullMarked;
