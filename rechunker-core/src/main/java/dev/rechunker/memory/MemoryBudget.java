package dev.rechunker.memory;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.threads.ManagedWait;

/**
 * A limit on the bytes in use at the same time, and a count of them. Thread-safe.
 *
 * <p>Bytes are reserved before a buffer is allocated, and returned after it was given up. {@link #highWater()} is the
 * measured memory of a run.
 */
public final class MemoryBudget {
    private final long capacity;
    private long held;
    private long highWater;

    private MemoryBudget(long capacity) {
        this.capacity = capacity;
    }

    /** {@return a budget of which nothing is in use} */
    public static MemoryBudget of(ByteSize capacity) {
        return new MemoryBudget(capacity.bytes());
    }

    /** {@return the most bytes that can be in use at the same time} */
    public long capacity() {
        return capacity;
    }

    /** {@return the bytes in use now} */
    public synchronized long held() {
        return held;
    }

    /** {@return the most bytes that were in use at the same time} */
    public synchronized long highWater() {
        return highWater;
    }

    /**
     * Reserves bytes. Waits until they are free.
     *
     * <p>A thread that has a reservation and waits for a second one may wait for ever, so a task reserves all its
     * memory in one call.
     *
     * @return the reservation; the caller closes it
     * @throws IllegalArgumentException if the bytes exceed the capacity
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public synchronized Reservation reserve(long bytes) throws InterruptedException {
        if (bytes < 0 || bytes > capacity) {
            throw new IllegalArgumentException(
                    bytes + " bytes cannot be reserved: the budget is " + capacity + " bytes in all");
        }
        while (held + bytes > capacity) {
            ManagedWait.on(this);
        }
        held += bytes;
        highWater = Math.max(highWater, held);
        return new Reservation(bytes);
    }

    private synchronized void release(long bytes) {
        held -= bytes;
        notifyAll();
    }

    /** Bytes that are in use until the reservation is closed. */
    public final class Reservation implements AutoCloseable {
        private long bytes;

        private Reservation(long bytes) {
            this.bytes = bytes;
        }

        /** {@return the reserved bytes; 0 after it was closed} */
        public synchronized long bytes() {
            return bytes;
        }

        /** Returns the bytes. Closing again has no effect. */
        @Override
        public void close() {
            long returned;
            synchronized (this) {
                returned = bytes;
                bytes = 0;
            }
            if (returned > 0) {
                release(returned);
            }
        }
    }
}
