/**
 * Encodes and decodes chunks: one {@link dev.rechunker.io.codec.Codec} per algorithm, and chains of them. Read
 * {@link dev.rechunker.io.codec.Codecs} first, which creates {@linkplain dev.rechunker.io.codec.CodecChain chains}.
 * {@link dev.rechunker.io.codec.SpillBlosc} compresses temporary files.
 *
 * <p>Invariants: Codecs work on direct buffers, and write directly to the buffers of the caller. They declare the
 * additional memory that they need, and take it from the caller's scratch memory. Lengths and positions in a chunk are
 * checked before they are used: damaged chunks end in a {@link dev.rechunker.io.codec.CodecException}, and take no more
 * memory than valid ones. Codecs and options that are not supported are refused by name when a chain is created.
 *
 * <p>Imports {@code geometry}, {@code array}, {@code copy}, {@code memory} and {@code store} from the core, and the
 * compression libraries, which no other package imports.
 */
@NullMarked
package dev.rechunker.io.codec;

import org.jspecify.annotations.NullMarked;
