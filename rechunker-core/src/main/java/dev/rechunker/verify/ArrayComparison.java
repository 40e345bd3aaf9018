package dev.rechunker.verify;

import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Scratch;
import dev.rechunker.memory.WorkerPool;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares two arrays of one shape and type, element by element and bit by bit, inside a bound; all of them, or a
 * sample. Immutable: it can be run again.
 *
 * <p>Window by window, the one side is assembled in memory, in the byte order of the other; then the chunks of the
 * other are read and compared with it. Elements that were never written have the fill value.
 */
public final class ArrayComparison {
    private final ComparedSide a;
    private final ComparedSide b;
    private final int itemSize;
    private final double share;
    private final ComparisonPlan plan;

    private ArrayComparison(ComparedSide a, ComparedSide b, double share, ComparisonPlan plan) {
        this.a = a;
        this.b = b;
        this.itemSize = a.spec().dataType().itemSize();
        this.share = share;
        this.plan = plan;
    }

    /**
     * {@return how two arrays will be compared}
     *
     * @param traits how the one is read
     * @param otherTraits how the other is read
     * @param threads at most
     * @param share of the elements, 1 for all; a sample is spread over the array, is the same each time, and holds at
     *     least its first and its last element
     * @throws IllegalArgumentException if shapes or types differ, or the share is not above 0 and at most 1
     * @throws dev.rechunker.plan.InfeasiblePlanException if the bound is too small, naming the least that would do
     */
    public static ArrayComparison plan(
            ArraySpec spec,
            ReadTraits traits,
            ArraySpec other,
            ReadTraits otherTraits,
            ByteSize maxMem,
            int threads,
            double share) {
        if (!spec.shape().equals(other.shape()) || !spec.dataType().equals(other.dataType())) {
            throw new IllegalArgumentException("arrays of one shape and type are compared, not " + spec.dataType() + " "
                    + spec.shape() + " with " + other.dataType() + " " + other.shape());
        }
        requireShare(share);
        ComparedSide a = new ComparedSide(spec, traits);
        ComparedSide b = new ComparedSide(other, otherTraits);
        return new ArrayComparison(a, b, share, ComparisonPlan.of(a, b, maxMem, threads, share));
    }

    /**
     * Refuses what is no share.
     *
     * @throws IllegalArgumentException if it is not above 0 and at most 1
     */
    public static void requireShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share + " cannot be compared; it is above 0, at most 1");
        }
    }

    /** {@return the bytes that it holds while it runs, those that the readers hold included} */
    public long bytes() {
        return plan.bytes();
    }

    /** {@return the least bound, in bytes, in which it could be done} */
    public long minimumMemory() {
        return plan.leastBytes();
    }

    /** {@return how it is done, and how often it reads what is compared, on average, as a line of text} */
    public String explain() {
        return String.format(
                Locale.ROOT,
                "window by window of %s, in %s; reads everything %.3g times on the one side, %.3g on the other",
                plan.windows().largestChunk(),
                ByteSize.of(plan.bytes()),
                a.reads(plan.windows()),
                b.reads(plan.windows()));
    }

    /**
     * What was found.
     *
     * @param difference the first difference in C order, or nothing if there is none
     * @param elements how many elements were compared; those behind a difference are not
     */
    public record Result(Optional<Difference> difference, long elements) {}

    /** Compares in memory of its own, and nobody listens. */
    public Result run(ArrayReader one, ArrayReader other, MemoryBudget budget)
            throws IOException, InterruptedException {
        return run(one, other, budget, new WorkspaceRecycler(), bytes -> {});
    }

    /**
     * Compares.
     *
     * @param budget from which {@link #bytes} are taken
     * @param recycler where memory comes from, and is left to others; what was left there is taken if it is not more
     *     than the budget has held at once
     * @param listener is told after each window how many bytes of both sides together were compared
     * @throws IOException if one cannot be read
     * @throws IllegalArgumentException if a reader is not of the spec and traits that this was planned for
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    public Result run(
            ArrayReader one, ArrayReader other, MemoryBudget budget, WorkspaceRecycler recycler, LongConsumer listener)
            throws IOException, InterruptedException {
        a.requireSame(one);
        b.requireSame(other);
        if (a.spec().shape().isEmpty()) {
            return new Result(Optional.empty(), 0);
        }
        List<Long> sizes = plan.bufferSizes();
        long buffers = sizes.stream().mapToLong(Long::longValue).sum();
        MemoryBudget.Reservation held = budget.reserve(plan.bytes());
        try (ComparisonMemory memory =
                new ComparisonMemory(sizes, budget.highWater() - (plan.bytes() - buffers), recycler)) {
            return new Run(one, other, memory).compare(listener);
        } finally {
            held.close();
        }
    }

    private record Lane(ByteBuffer buffer, Scratch scratch) {}

    /** One time that two arrays are compared. */
    private final class Run {
        private final WindowReads one;
        private final WindowReads other;
        private final ByteBuffer window;
        private final List<Lane> lanes = new ArrayList<>();
        private final AtomicReference<@Nullable Difference> first = new AtomicReference<>();

        Run(ArrayReader one, ArrayReader other, ComparisonMemory memory) {
            this.one = new WindowReads(a, one, plan.windows().largestChunk());
            this.other = new WindowReads(b, other, plan.windows().largestChunk());
            this.window = memory.buffer(0);
            for (int i = 0; i < plan.threads(); i++) {
                lanes.add(new Lane(memory.buffer(2 * i + 1), new Scratch(memory.buffer(2 * i + 2))));
            }
        }

        Result compare(LongConsumer listener) throws IOException, InterruptedException {
            WorkerPool pool = new WorkerPool(plan.threads());
            try {
                long elements = 0;
                Windows windows = new Windows(plan.windows(), share);
                while (windows.hasNext()) {
                    Region region = windows.next();
                    if (mayComeBefore(region)) {
                        each(pool, one, region, new WindowAssembly(a.spec(), b.spec(), region, window));
                        each(pool, other, region, new WindowCheck(b.spec(), region, window, first));
                        elements += region.elements();
                        listener.accept(2 * region.elements() * itemSize);
                    }
                }
                return new Result(Optional.ofNullable(first.get()), elements);
            } finally {
                pool.shutdownNow();
                awaitEnd(pool);
            }
        }

        private static void awaitEnd(WorkerPool pool) {
            boolean interrupted = false;
            boolean ended = false;
            while (!ended) {
                try {
                    ended = pool.awaitTermination(1, TimeUnit.DAYS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** {@return whether a difference in a region would come before the one that is known} */
        private boolean mayComeBefore(Region region) {
            Difference known = first.get();
            return known == null || Difference.isBefore(Longs.asList(region.origin()), known.index());
        }

        /** Reads all of a side that lies in a window, and returns when all has been taken. */
        private void each(WorkerPool pool, WindowReads reads, Region window, WindowReads.Sink sink)
                throws IOException, InterruptedException {
            long count = reads.count(window);
            AtomicLong next = new AtomicLong();
            List<Future<?>> running = new ArrayList<>();
            for (Lane lane : lanes) {
                running.add(pool.submit(() -> {
                    for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        reads.read(i, window, lane.buffer, lane.scratch, sink);
                    }
                    return null;
                }));
            }
            for (Future<?> lane : running) {
                try {
                    lane.get();
                } catch (ExecutionException e) {
                    next.set(count);
                    throw e.getCause() instanceof IOException failure
                            ? failure
                            : new IOException("comparing failed: " + e.getCause(), e.getCause());
                }
            }
        }
    }
}
