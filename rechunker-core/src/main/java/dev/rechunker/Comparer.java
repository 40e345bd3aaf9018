package dev.rechunker;

import dev.rechunker.job.StoredComparison;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Difference;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;

/**
 * Compares stored arrays of the same shape and type, element by element and bit by bit, within a memory limit. Several
 * arrays are compared one after the other, in the same memory.
 *
 * <p>Elements that were never written have the fill value. The arrays may have different byte orders.
 */
public final class Comparer {
    private final StoredComparison comparison;

    /**
     * Creates a comparer without a listener.
     *
     * @param maxMem the memory limit
     * @param threads the number of threads
     */
    public Comparer(ByteSize maxMem, int threads) {
        this(maxMem, threads, ProgressListener.NONE, 0);
    }

    /**
     * Creates a comparer that reports its progress to a listener.
     *
     * @param maxMem the memory limit
     * @param threads the number of threads
     * @param listener is called about ten times a second, and at the {@linkplain #end() end}
     * @param bytes the uncompressed size of all arrays that will be compared, each pair counted once
     */
    public Comparer(ByteSize maxMem, int threads, ProgressListener listener, long bytes) {
        this.comparison = new StoredComparison(maxMem, threads, listener, bytes);
    }

    /**
     * {@return the first element in C order that differs, or empty if the arrays are the same}
     *
     * @param name the name of the array, for the listener
     * @throws IllegalArgumentException if shapes or types differ
     * @throws dev.rechunker.run.InfeasiblePlanException if the memory limit is too small
     * @throws IOException if an array cannot be read
     * @throws InterruptedException if interrupted
     */
    public Optional<Difference> compare(String name, StoreLocation one, StoreLocation other)
            throws IOException, InterruptedException {
        return comparison.compare(name, one, other);
    }

    /**
     * {@return the checksum of the contents of an array, as in {@link dev.rechunker.run.Report#contents()}}
     *
     * @throws dev.rechunker.run.InfeasiblePlanException if the memory limit is too small
     * @throws IOException if the array cannot be read
     * @throws InterruptedException if interrupted
     */
    public String contents(StoreLocation place) throws IOException, InterruptedException {
        return comparison.contents(place);
    }

    /** Reports to the listener that everything has been compared. */
    public void end() {
        comparison.end();
    }
}
