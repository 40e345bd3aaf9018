/**
 * Reductions of boxes of elements to one element each, which make the levels of a pyramid. Open
 * {@link dev.rechunker.reduce.Reducer} first. Part of the engine.
 */
@NullMarked
package dev.rechunker.reduce;

import org.jspecify.annotations.NullMarked;
