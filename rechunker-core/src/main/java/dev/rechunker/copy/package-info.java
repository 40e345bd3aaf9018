/**
 * The inner loops that move elements between buffers of different layout.
 *
 * <p>Read {@link dev.rechunker.copy.StridedCopy} first. The package deals in bytes and strides, not in grids or stores,
 * so that every package that moves elements can use the same loops.
 *
 * <p>Imports no other package of this project.
 */
@NullMarked
package dev.rechunker.copy;

import org.jspecify.annotations.NullMarked;
