/**
 * The command line tool {@code rechunk}.
 *
 * <p>Read {@link dev.rechunker.cli.Rechunk} first, the main class. Each command is a class, and options that several
 * commands share are classes, too. Results are printed to standard output, progress and messages to standard error.
 */
@NullMarked
package dev.rechunker.cli;

import org.jspecify.annotations.NullMarked;
