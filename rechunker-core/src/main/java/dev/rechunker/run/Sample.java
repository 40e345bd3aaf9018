package dev.rechunker.run;

import java.time.Duration;

/**
 * The progress of a run at one moment.
 *
 * @param elapsed the time since the run started
 * @param stage the name of the stage that was running
 * @param bytesRead the uncompressed bytes read so far, from source and spill
 * @param bytesWritten the uncompressed bytes written so far, to spill and target
 * @param memoryHeld the memory in use, in bytes
 */
public record Sample(Duration elapsed, String stage, long bytesRead, long bytesWritten, long memoryHeld) {}
