package dev.rechunker.run;

import java.time.Duration;

/**
 * What a run had done at some time.
 *
 * @param elapsed since the run started
 * @param stage what was being done
 * @param bytesRead uncompressed bytes read so far, from source and spill
 * @param bytesWritten uncompressed bytes written so far, to spill and target
 * @param memoryHeld bytes held then
 */
public record Sample(Duration elapsed, String stage, long bytesRead, long bytesWritten, long memoryHeld) {}
