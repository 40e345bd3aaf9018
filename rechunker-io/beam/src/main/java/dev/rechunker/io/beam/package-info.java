/**
 * Runs plans as pipelines of Apache Beam. Open {@link dev.rechunker.io.beam.BeamExecutor} first.
 *
 * <p>Only the portable API of Beam is used, so pipelines run on every runner. Workers receive the location of a plan
 * and numbers of tasks.
 */
@NullMarked
package dev.rechunker.io.beam;

import org.jspecify.annotations.NullMarked;
