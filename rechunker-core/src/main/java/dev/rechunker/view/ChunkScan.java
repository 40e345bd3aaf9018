package dev.rechunker.view;

import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.StoreException;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A read of chunks by several threads, each of which has memory of its own. */
final class ChunkScan {
    private ChunkScan() {}

    /** What one thread has to read chunks. */
    @FunctionalInterface
    interface Lane {
        /** Reads a chunk and looks at its elements. */
        void accept(long chunk) throws IOException;
    }

    /** Makes the lane of a thread. */
    @FunctionalInterface
    interface Maker<T extends Lane> {
        /** {@return a new lane} */
        T make();
    }

    /**
     * {@return the number of threads that have space}
     *
     * @param shared the memory that all of them share, in bytes
     * @param each the memory of each, in bytes
     * @param what what needs the memory, for messages
     * @throws InfeasiblePlanException if not even one has space
     */
    static int threads(ScanLimits limits, long shared, long each, String what) {
        long least = Math.addExact(shared, each);
        if (least > limits.bytes()) {
            throw new InfeasiblePlanException(what + " takes more", limits.bytes(), least);
        }
        return (int) Math.min(limits.threads(), (limits.bytes() - shared) / Math.max(1, each));
    }

    /**
     * Reads chunks at even distances, each of them once.
     *
     * @param every the distance; 1 for all chunks
     * @return the lanes of all threads
     * @throws IOException if one cannot be read
     */
    static <T extends Lane> List<T> run(int threads, long chunks, long every, Maker<T> maker) throws IOException {
        long reads = (chunks + every - 1) / every;
        int members = (int) Math.max(1, Math.min(threads, reads));
        List<T> lanes = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            lanes.add(maker.make());
        }
        AtomicInteger taken = new AtomicInteger();
        AtomicLong next = new AtomicLong();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        try (Team team = new Team(members)) {
            team.togetherUninterruptibly(members, () -> {
                T lane = lanes.get(taken.getAndIncrement());
                try {
                    for (long i = next.getAndIncrement(); i < reads; i = next.getAndIncrement()) {
                        if (Thread.currentThread().isInterrupted()) {
                            throw new InterruptedIOException("interrupted while planning");
                        }
                        lane.accept(i * every);
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                    next.set(reads);
                }
            });
        }
        if (Thread.currentThread().isInterrupted()) { // which makes reads fail in ways of their own
            throw new InterruptedIOException("interrupted while planning");
        }
        Throwable failed = failure.get();
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed != null) {
            throw failed instanceof IOException e
                    ? e
                    : new IOException("reading failed: " + StoreException.reason(failed), failed);
        }
        return lanes;
    }
}
