/**
 * The implementation of the API of the root package: plans the copy of arrays and groups, and runs it in one process or
 * in several.
 *
 * <p>Open {@link dev.rechunker.job.JobRequest} first, then {@link dev.rechunker.job.Planning},
 * {@link dev.rechunker.job.JobPlan} and {@link dev.rechunker.job.LocalRun}. {@link dev.rechunker.job.ProblemStatement}
 * turns what stores declare into a problem of the planner, so that planner and stores do not depend on each other.
 *
 * <p>Part of the engine.
 */
@NullMarked
package dev.rechunker.job;

import org.jspecify.annotations.NullMarked;
