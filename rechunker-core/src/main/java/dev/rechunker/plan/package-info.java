/**
 * Pure plan algebra: grids, sizes and a bound in, stages out. No I/O, and no knowledge of stores.
 *
 * <p>Open {@link dev.rechunker.plan.Planner} first. It states a {@link dev.rechunker.plan.Problem} under
 * {@link dev.rechunker.plan.Resources} as products of one-axis numbers, searches these, and answers with a
 * {@link dev.rechunker.plan.CopyPlan}: the cheapest {@link dev.rechunker.plan.Strategy}, the stages that carry it out,
 * what it costs, and what the alternatives would cost. Every formula is stated where it is computed and in
 * {@code docs/algorithm.md}.
 *
 * <p>Imports geometry and memory.
 */
@NullMarked
package dev.rechunker.plan;

import org.jspecify.annotations.NullMarked;
