/**
 * What is behind the API of the root package: makes the plan of a copy of arrays and groups, and runs it, alone or
 * shared by several processes.
 *
 * <p>Open {@link dev.rechunker.job.JobRequest} first, then {@link dev.rechunker.job.Planning},
 * {@link dev.rechunker.job.JobPlan} and {@link dev.rechunker.job.LocalRun}. Of a store it asks what {@code ChunkStore}
 * offers, and turns that into the planner's words ({@link dev.rechunker.job.ProblemStatement}), so that planner and
 * stores need not know each other.
 *
 * <p>Part of the engine.
 */
@NullMarked
package dev.rechunker.job;

import org.jspecify.annotations.NullMarked;
