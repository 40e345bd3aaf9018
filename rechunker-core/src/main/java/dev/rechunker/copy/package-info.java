/**
 * The hot loops: moving elements between buffers of different layout. Open {@link dev.rechunker.copy.StridedCopy}.
 *
 * <p>Knows bytes and strides, but neither grids nor stores, so that every room that has to move elements can use the
 * same loops. Imports nothing of this project.
 */
@NullMarked
package dev.rechunker.copy;

import org.jspecify.annotations.NullMarked;
