package dev.rechunker.plan;

import dev.rechunker.resource.CostModel;
import java.util.Optional;

/**
 * What a plan may use.
 *
 * @param maxMem the most bytes held for data in one process, all threads together
 * @param threads the threads of a process, which share one window
 * @param spillAllowed whether a temporary copy may be written
 * @param costModel what the devices can do
 * @param workers how many such processes share the tasks, each of them at the rates of the cost model
 * @param remoteSpill how the temporary copy lies in an object store; empty if it is in files
 * @param compression how the temporary copy can be compressed; empty if it cannot
 */
public record Resources(
        long maxMem,
        int threads,
        boolean spillAllowed,
        CostModel costModel,
        int workers,
        Optional<RemoteSpill> remoteSpill,
        Optional<SpillCompression> compression) {
    /** Of one process. */
    public Resources(long maxMem, int threads, boolean spillAllowed, CostModel costModel) {
        this(maxMem, threads, spillAllowed, costModel, 1);
    }

    /** Of processes that spill to files. */
    public Resources(long maxMem, int threads, boolean spillAllowed, CostModel costModel, int workers) {
        this(maxMem, threads, spillAllowed, costModel, workers, Optional.empty());
    }

    /** Without compression of what is spilled. */
    public Resources(
            long maxMem,
            int threads,
            boolean spillAllowed,
            CostModel costModel,
            int workers,
            Optional<RemoteSpill> remoteSpill) {
        this(maxMem, threads, spillAllowed, costModel, workers, remoteSpill, Optional.empty());
    }

    /** Checks the numbers. */
    public Resources {
        if (maxMem < 0) {
            throw new IllegalArgumentException("maxMem is " + maxMem + " bytes, which is negative");
        }
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads cannot run a plan; it takes at least 1");
        }
        if (workers < 1) {
            throw new IllegalArgumentException(workers + " workers cannot run a plan; it takes at least 1");
        }
    }

    /** {@return these resources with so many bytes less, but not less than none} */
    public Resources reducedBy(long bytes) {
        return withMemory(Math.max(0, maxMem - bytes));
    }

    /** {@return these resources without a spill} */
    public Resources withoutSpill() {
        return new Resources(maxMem, threads, false, costModel, workers, remoteSpill, compression);
    }

    /** {@return whether any part of the temporary copy can be read without the rest: if it lies in files as it is} */
    boolean readsBackAnyBytes() {
        return remoteSpill.isEmpty() && compression.isEmpty();
    }

    /** {@return these resources with another bound} */
    Resources withMemory(long bytes) {
        return new Resources(bytes, threads, spillAllowed, costModel, workers, remoteSpill, compression);
    }

    /** {@return these resources with a temporary copy that is compressed, or is not} */
    public Resources withCompression(Optional<SpillCompression> how) {
        return new Resources(maxMem, threads, spillAllowed, costModel, workers, remoteSpill, how);
    }
}
