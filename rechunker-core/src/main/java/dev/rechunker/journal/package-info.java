/**
 * Files that record the progress of a run, so that a run that was killed can be resumed.
 *
 * <p>Read {@link dev.rechunker.journal.RunDirectory} first, then {@link dev.rechunker.journal.Journal}. A journal has a
 * header that describes the run, and records that name finished tasks by number. A record is appended after the output
 * of the task is stored. If a process is killed at any moment, the journal may therefore lack a finished task, but
 * never names an unfinished one.
 *
 * <p>The package deals in numbers, not in arrays or stores. Stores that record their own progress use
 * {@link dev.rechunker.journal.RecordFile}.
 *
 * <p>Imports no other package of this project.
 */
@NullMarked
package dev.rechunker.journal;

import org.jspecify.annotations.NullMarked;
