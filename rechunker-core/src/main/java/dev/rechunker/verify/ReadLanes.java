package dev.rechunker.verify;

import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The memory of threads that read an array together. */
final class ReadLanes {
    private final List<Lane> lanes = new ArrayList<>();

    private record Lane(ByteBuffer buffer, Scratch scratch) {}

    /**
     * Creates lanes.
     *
     * @param first the number of the first of two buffers of each lane: that of the elements, and the scratch
     */
    ReadLanes(ComparisonMemory memory, int first, int threads) {
        for (int i = 0; i < threads; i++) {
            lanes.add(new Lane(memory.buffer(first + 2 * i), new Scratch(memory.buffer(first + 2 * i + 1))));
        }
    }

    /** Reads all elements of an array that are in a window into a sink, and returns when all threads have finished. */
    void readAll(Team team, WindowReads reads, Region window, WindowReads.Sink sink)
            throws IOException, InterruptedException {
        long count = reads.count(window);
        AtomicLong next = new AtomicLong();
        AtomicInteger lanesTaken = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        team.togetherUninterruptibly(lanes.size(), () -> {
            Lane lane = lanes.get(lanesTaken.getAndIncrement());
            try {
                for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException("interrupted");
                    }
                    reads.read(i, window, lane.buffer, lane.scratch, sink);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
                next.set(count);
            }
        });
        // A read that was interrupted fails in a way of its own.
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted");
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw failed instanceof IOException e
                    ? e
                    : new IOException("reading failed: " + StoreException.reason(failed), failed);
        }
    }
}
