package dev.rechunker.plan;

import dev.rechunker.resource.CostModel;
import java.util.Optional;

/**
 * What a plan may use.
 *
 * @param maxMem the most bytes for data in one process, of all threads together
 * @param threads the threads of a process, which share one window
 * @param spillAllowed whether a temporary copy may be written
 * @param costModel the speed of storage and processors
 * @param workers the number of processes that share the tasks, each at the rates of the cost model
 * @param remoteSpill the layout of the temporary copy in an object store; empty if it is in files
 * @param compression the compression of the temporary copy; empty if there is none
 */
public record Resources(
        long maxMem,
        int threads,
        boolean spillAllowed,
        CostModel costModel,
        int workers,
        Optional<RemoteSpill> remoteSpill,
        Optional<SpillCompression> compression) {
    /** Creates the resources of one process. */
    public Resources(long maxMem, int threads, boolean spillAllowed, CostModel costModel) {
        this(maxMem, threads, spillAllowed, costModel, 1);
    }

    /** Creates the resources of several processes that spill to files. */
    public Resources(long maxMem, int threads, boolean spillAllowed, CostModel costModel, int workers) {
        this(maxMem, threads, spillAllowed, costModel, workers, Optional.empty());
    }

    /** Creates resources without compression of the temporary copy. */
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
            throw new IllegalArgumentException("maxMem is " + maxMem + " bytes, but cannot be negative");
        }
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads cannot run a plan; it takes at least 1");
        }
        if (workers < 1) {
            throw new IllegalArgumentException(workers + " workers cannot run a plan; it takes at least 1");
        }
    }

    /** {@return these resources with {@code bytes} less memory, but at least none} */
    public Resources reducedBy(long bytes) {
        return withMemory(Math.max(0, maxMem - bytes));
    }

    /** {@return these resources without a spill} */
    public Resources withoutSpill() {
        return new Resources(maxMem, threads, false, costModel, workers, remoteSpill, compression);
    }

    /** {@return whether any bytes of the temporary copy can be read: if it is in files, and not compressed} */
    boolean readsBackAnyBytes() {
        return remoteSpill.isEmpty() && compression.isEmpty();
    }

    /** {@return these resources with another memory limit} */
    public Resources withMemory(long bytes) {
        return new Resources(bytes, threads, spillAllowed, costModel, workers, remoteSpill, compression);
    }

    /** {@return these resources with another number of threads} */
    public Resources withThreads(int number) {
        return new Resources(maxMem, number, spillAllowed, costModel, workers, remoteSpill, compression);
    }

    /** {@return these resources with another compression of the temporary copy, or without one} */
    public Resources withCompression(Optional<SpillCompression> how) {
        return new Resources(maxMem, threads, spillAllowed, costModel, workers, remoteSpill, how);
    }
}
