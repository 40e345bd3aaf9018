package dev.rechunker;

import dev.rechunker.job.StoredComparison;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Difference;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;

/**
 * Compares stored arrays of the same shape and type, element by element and bit by bit, inside a bound. Several arrays
 * are compared one after the other, in the same memory.
 *
 * <p>Elements that were never written have the fill value. The order of bytes may differ.
 */
public final class Comparer {
    private final StoredComparison comparison;

    /**
     * Creates a comparer that nobody listens to.
     *
     * @param maxMem the bound
     * @param threads how many read at the same time
     */
    public Comparer(ByteSize maxMem, int threads) {
        this(maxMem, threads, ProgressListener.NONE, 0);
    }

    /**
     * Creates a comparer that tells a listener how far it has come.
     *
     * @param maxMem the bound
     * @param threads how many read at the same time
     * @param listener is told about ten times a second, and at the {@linkplain #end() end}
     * @param bytes the bytes of all arrays that will be compared, of one side
     */
    public Comparer(ByteSize maxMem, int threads, ProgressListener listener, long bytes) {
        this.comparison = new StoredComparison(maxMem, threads, listener, bytes);
    }

    /**
     * {@return the first element in C order that differs, or empty if the arrays are the same}
     *
     * @param name what the listener is told that is compared
     * @throws IllegalArgumentException if shapes or types differ
     * @throws dev.rechunker.run.InfeasiblePlanException if the bound is too small
     * @throws IOException if an array cannot be read
     * @throws InterruptedException if interrupted
     */
    public Optional<Difference> compare(String name, StoreLocation one, StoreLocation other)
            throws IOException, InterruptedException {
        return comparison.compare(name, one, other);
    }

    /** Tells the listener that everything has been compared. */
    public void end() {
        comparison.end();
    }
}
