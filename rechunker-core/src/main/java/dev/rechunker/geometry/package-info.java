/**
 * Integer arithmetic on shapes and grids; knows neither bytes nor files.
 *
 * <p>Open {@link dev.rechunker.geometry.Partition} first: a grid is a product of one-axis partitions, so every quantity
 * that a planner needs is a product over the axes of one-axis numbers. All coordinates are in C order (axis 0 varies
 * slowest), all counts are {@code long}, and arithmetic that could overflow throws
 * {@link java.lang.ArithmeticException}.
 *
 * <p>Imports nothing of this project.
 */
@NullMarked
package dev.rechunker.geometry;

import org.jspecify.annotations.NullMarked;
