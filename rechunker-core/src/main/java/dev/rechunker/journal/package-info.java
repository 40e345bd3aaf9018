/**
 * What a run leaves behind so that it can be gone on with when it was killed: open
 * {@link dev.rechunker.journal.RunDirectory}, then {@link dev.rechunker.journal.Journal}.
 *
 * <p>Knows neither arrays nor stores: a journal has a header, which says what the run does, and records, which say by
 * number what is done. A record is appended when what it speaks of is stored, never before; so whatever moment a
 * process is killed at, the journal says too little rather than too much. Stores that keep notes of their own take a
 * {@link dev.rechunker.journal.RecordFile} for them. Imports nothing of this project.
 */
@NullMarked
package dev.rechunker.journal;

import org.jspecify.annotations.NullMarked;
