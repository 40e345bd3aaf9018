/**
 * Pictures of plans and runs, as SVG or HTML.
 *
 * <p>Read {@link dev.rechunker.picture.PlanPicture} first. It draws a row for each stage: what a task reads, what is in
 * memory, what it writes. {@link dev.rechunker.picture.RunPicture} draws what a run did over time.
 *
 * <p>The drawing code uses no files, clock or random numbers: the same plan always gives the same text. It uses only
 * the public parts of a plan, so that new strategies and kinds of stages are drawn from their grids.
 *
 * <p>A picture is self-contained: it has no scripts and loads nothing. It follows the reader's light or dark colour
 * scheme. Everything that it shows by colour it also shows by pattern, position or text. It has at most a few thousand
 * elements, whatever the size of the array, and notes what is left out.
 *
 * <p>Imports {@code geometry}, {@code order}, {@code plan} and {@code run}.
 */
@NullMarked
package dev.rechunker.picture;

import org.jspecify.annotations.NullMarked;
