/**
 * The command line: {@link dev.rechunker.cli.Rechunk} is its main class, and each command a class of its own.
 *
 * <p>The one place that prints. Results go to standard output; progress and messages go to standard error.
 */
@NullMarked
package dev.rechunker.cli;

import org.jspecify.annotations.NullMarked;
