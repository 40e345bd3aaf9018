/**
 * Draws plans and runs: values in, text out, as SVG or as a page of HTML. Pure: no files, no clock, no randomness; the
 * same values always make the same text.
 *
 * <p>Open {@link dev.rechunker.picture.PlanPicture} first, which has a row for every stage: what a task reads, what is
 * in memory, what it writes. It looks at nothing but the public parts of a plan, so a strategy or a kind of stage that
 * is new is drawn from its grids. {@link dev.rechunker.picture.RunPicture} draws what a run did over time.
 *
 * <p>A picture stands alone: no script, no font, nothing that is loaded. It follows the reader's light or dark scheme.
 * What it says by colour it also says by pattern, place or word. Whatever the size of the array, it has at most some
 * thousand elements; what is left out is said in it.
 *
 * <p>Imports geometry, memory and plan.
 */
@NullMarked
package dev.rechunker.picture;

import org.jspecify.annotations.NullMarked;
