/**
 * Running a plan: who runs its tasks ({@link dev.rechunker.run.Executor}), what is told meanwhile
 * ({@link dev.rechunker.run.ProgressListener}) and afterwards ({@link dev.rechunker.run.Report}), and the exceptions
 * that say why it was refused or has failed.
 *
 * <p>Part of the API. Open {@link dev.rechunker.run.Executor} first.
 */
@NullMarked
package dev.rechunker.run;

import org.jspecify.annotations.NullMarked;
