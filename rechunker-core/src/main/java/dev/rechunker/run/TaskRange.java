package dev.rechunker.run;

/**
 * Consecutive tasks of a stage.
 *
 * @param from the first task
 * @param to the end of the range, exclusive
 */
public record TaskRange(long from, long to) {
    /** {@return the number of tasks} */
    public long count() {
        return to - from;
    }
}
