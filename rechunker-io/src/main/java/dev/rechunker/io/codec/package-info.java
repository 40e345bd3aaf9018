/**
 * How chunks are encoded: one {@link dev.rechunker.io.codec.Codec} per algorithm, and chains of them. The door is
 * {@link dev.rechunker.io.codec.Codecs}; what it hands out is a {@link dev.rechunker.io.codec.CodecChain}. Besides,
 * {@link dev.rechunker.io.codec.SpillBlosc} compresses the temporary files of any run.
 *
 * <p>Invariants: codecs work on direct buffers and write straight into the caller's; what they need besides they
 * declare and take from the caller's scratch. No length or place that comes from a chunk is used before it is checked:
 * damaged chunks end in a {@link dev.rechunker.io.codec.CodecException} and take no more memory than good ones. What is
 * not understood is refused by name when the chain is made.
 *
 * <p>Imports {@code geometry}, {@code array}, {@code copy}, {@code memory} and {@code store} from the core, and the
 * compression libraries, which no other room sees.
 */
@NullMarked
package dev.rechunker.io.codec;

import org.jspecify.annotations.NullMarked;
