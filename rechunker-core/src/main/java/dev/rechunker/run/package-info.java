/**
 * Running a plan: executors, which run its tasks; progress listeners; the report of a run; and the exceptions of runs
 * that are refused or fail.
 *
 * <p>Part of the API. Open {@link dev.rechunker.run.Executor} first.
 */
@NullMarked
package dev.rechunker.run;

import org.jspecify.annotations.NullMarked;
