package dev.rechunker.run;

import java.time.Duration;

/**
 * How far a run has come; a value that does not change.
 *
 * @param array the array being copied, as the front door calls it
 * @param stage what the current stage does; {@code verify} while what was written is compared with the source
 * @param tasksDone tasks finished, of all arrays and stages
 * @param tasks tasks in all
 * @param bytesRead stored bytes read from source and spill
 * @param bytesDecoded bytes that they decoded to
 * @param bytesWritten stored bytes written to spill and target
 * @param bytesMoved uncompressed bytes read, written and, if that was asked for, compared so far
 * @param bytesToMove uncompressed bytes to be read, written and compared in all
 * @param elapsed since the run started
 * @param bytesPerSecond uncompressed bytes moved per second, lately
 * @param remaining the time left if it goes on like this; zero at the end
 * @param memoryHeld bytes held now
 * @param maxMem the bound
 * @param ended whether the run has ended; nothing comes after that
 */
public record Progress(
        String array,
        String stage,
        long tasksDone,
        long tasks,
        long bytesRead,
        long bytesDecoded,
        long bytesWritten,
        long bytesMoved,
        long bytesToMove,
        Duration elapsed,
        double bytesPerSecond,
        Duration remaining,
        long memoryHeld,
        long maxMem,
        boolean ended) {
    /** {@return the part that is done, from 0 to 1} */
    public double fraction() {
        return bytesToMove == 0 ? 1 : Math.min(1, (double) bytesMoved / bytesToMove);
    }
}
