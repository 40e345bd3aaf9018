/**
 * The planner: computes the stages of a copy from grids, sizes and a memory limit. It does no I/O and does not know
 * stores. Open {@link dev.rechunker.plan.Planner} first.
 *
 * <p>The planner describes a {@link dev.rechunker.plan.Problem} with some {@link dev.rechunker.plan.Resources} by
 * products of numbers of single axes, and searches these. The result is a {@link dev.rechunker.plan.CopyPlan}: the
 * cheapest {@link dev.rechunker.plan.Strategy}, the stages that carry it out, their cost, and the cost of the
 * alternatives. Each formula is given where it is computed, and in {@code docs/algorithm.md}. Part of the engine.
 */
@NullMarked
package dev.rechunker.plan;

import org.jspecify.annotations.NullMarked;
