package dev.rechunker.memory;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.threads.ManagedWait;

/**
 * A number of bytes that may be held at once, and the ledger of those that are.
 *
 * <p>Bytes are reserved before the buffer exists and returned when it is gone. {@link #highWater()} is the measured
 * memory of a run.
 */
public final class MemoryBudget {
    private final long capacity;
    private long held;
    private long highWater;

    private MemoryBudget(long capacity) {
        this.capacity = capacity;
    }

    /** {@return a budget of which nothing is held} */
    public static MemoryBudget of(ByteSize capacity) {
        return new MemoryBudget(capacity.bytes());
    }

    /** {@return the bytes that may be held at once} */
    public long capacity() {
        return capacity;
    }

    /** {@return the bytes held now} */
    public synchronized long held() {
        return held;
    }

    /** {@return the most bytes that were ever held at once} */
    public synchronized long highWater() {
        return highWater;
    }

    /**
     * Reserves bytes, waiting until they are free.
     *
     * <p>A thread that holds a reservation and waits for a second one can wait for ever; take what a task needs at
     * once.
     *
     * @return the reservation, to be closed
     * @throws IllegalArgumentException if they exceed the capacity
     * @throws InterruptedException if interrupted while waiting
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

    /** Bytes that are held until it is closed. */
    public final class Reservation implements AutoCloseable {
        private long bytes;

        private Reservation(long bytes) {
            this.bytes = bytes;
        }

        /** {@return the bytes it holds; 0 once closed} */
        public synchronized long bytes() {
            return bytes;
        }

        /** Returns the bytes; closing again does nothing. */
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
