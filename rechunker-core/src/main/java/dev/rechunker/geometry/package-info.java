/**
 * Shapes, regions and chunk grids, and the integer arithmetic on them.
 *
 * <p>Read {@link dev.rechunker.geometry.Partition} first: a grid is the product of one partition per axis, so every
 * number that the planner needs is a product over the axes. Axes are in C order (axis 0 varies slowest), counts are
 * {@code long}, and arithmetic that would overflow throws {@link java.lang.ArithmeticException}.
 *
 * <p>Imports no other package of this project.
 */
@NullMarked
package dev.rechunker.geometry;

import org.jspecify.annotations.NullMarked;
