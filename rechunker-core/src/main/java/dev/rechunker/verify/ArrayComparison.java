package dev.rechunker.verify;

import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Difference;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A bitwise comparison of the elements of two arrays of equal shape and type, or of a sample of them, in bounded
 * memory. Immutable; it can be run several times.
 *
 * <p>The arrays are compared window by window. The first array is assembled in memory in the byte order of the second,
 * then the chunks of the second are read and compared with it. Elements that were never written have the fill value.
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
     * {@return the plan of a comparison}
     *
     * @param spec the spec of the first array
     * @param traits the traits of its reader
     * @param other the spec of the second array
     * @param otherTraits the traits of its reader
     * @param maxMem the most memory that the comparison may use
     * @param threads the most threads that read at the same time
     * @param share the share of elements that is compared, 1 for all. A sample is spread over the array, is always the
     *     same, and contains at least the first and the last element
     * @throws IllegalArgumentException if shapes or types differ, or {@code share} is not above 0 and at most 1
     * @throws dev.rechunker.run.InfeasiblePlanException if {@code maxMem} is too small; the message has the least
     *     possible value
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
            throw new IllegalArgumentException("only arrays of equal shape and type can be compared, not "
                    + spec.dataType() + " " + spec.shape() + " with " + other.dataType() + " " + other.shape());
        }
        requireShare(share);
        ComparedSide a = new ComparedSide(spec, traits);
        ComparedSide b = new ComparedSide(other, otherTraits);
        return new ArrayComparison(a, b, share, ComparisonPlan.of(a, b, maxMem, threads, share));
    }

    /**
     * Checks that a share is above 0 and at most 1.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static void requireShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "cannot compare a share of " + share + "; it must be above 0 and at most 1");
        }
    }

    /**
     * {@return the same comparison of so few windows that about as many bytes are read of both arrays} With little
     * memory, windows are smaller than chunks, and each window reads its chunks again. At least the first and the last
     * window are compared.
     */
    public ArrayComparison readingAtMost(double bytes) {
        double all = (double) a.spec().bytes() * (a.reads(plan.windows()) + b.reads(plan.windows()));
        return all * share <= bytes ? this : new ArrayComparison(a, b, bytes / all, plan);
    }

    /** {@return the memory that the comparison uses while it runs, in bytes, including that of the readers} */
    public long bytes() {
        return plan.bytes();
    }

    /** {@return the least possible {@code maxMem} of the comparison, in bytes} */
    public long minimumMemory() {
        return plan.leastBytes();
    }

    /** {@return one line of text on the windows, the memory, and how often elements are read on average} */
    public String explain() {
        return String.format(
                Locale.ROOT,
                "compares windows of %s in %s of memory; reads the first array %.3g times, the second %.3g times",
                plan.windows().largestChunk(),
                ByteSize.of(plan.bytes()),
                a.reads(plan.windows()),
                b.reads(plan.windows()));
    }

    /**
     * The result of a comparison.
     *
     * @param difference the first difference in C order, or empty if there is none
     * @param elements the number of elements that were compared; elements after a difference are not
     */
    public record Result(Optional<Difference> difference, long elements) {}

    /** Runs the comparison in newly allocated memory and without a listener. */
    public Result run(ArrayReader one, ArrayReader other, MemoryBudget budget)
            throws IOException, InterruptedException {
        return run(one, other, budget, new WorkspaceRecycler(), bytes -> {});
    }

    /**
     * Runs the comparison.
     *
     * @param one a reader of the first array
     * @param other a reader of the second array
     * @param budget the budget from which {@link #bytes} are reserved
     * @param recycler supplies the memory and takes it back. A larger workspace that an earlier run left there is used
     *     if that does not exceed the most memory that the budget has had in use
     * @param listener is called after each window with the number of bytes of both arrays that were compared
     * @throws IOException if an array cannot be read
     * @throws IllegalArgumentException if a reader does not have the spec and traits that the comparison was planned
     *     for
     * @throws InterruptedException if the thread was interrupted; running reads have ended
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

    /** One run of the comparison. */
    private final class Run {
        private final WindowReads one;
        private final WindowReads other;
        private final ByteBuffer window;
        private final ReadLanes lanes;
        private final AtomicReference<@Nullable Difference> first = new AtomicReference<>();

        Run(ArrayReader one, ArrayReader other, ComparisonMemory memory) {
            this.one = new WindowReads(a, one, plan.windows().largestChunk());
            this.other = new WindowReads(b, other, plan.windows().largestChunk());
            this.window = memory.buffer(0);
            this.lanes = new ReadLanes(memory, 1, plan.threads());
        }

        Result compare(LongConsumer listener) throws IOException, InterruptedException {
            try (Team team = new Team(plan.threads())) {
                long elements = 0;
                Windows windows = new Windows(plan.windows(), share);
                while (windows.hasNext()) {
                    Region region = windows.next();
                    if (mayComeBefore(region)) {
                        lanes.readAll(team, one, region, new WindowAssembly(a.spec(), b.spec(), region, window));
                        lanes.readAll(team, other, region, new WindowCheck(b.spec(), region, window, first));
                        elements += region.elements();
                        listener.accept(2 * region.elements() * itemSize);
                    }
                }
                return new Result(Optional.ofNullable(first.get()), elements);
            }
        }

        /** {@return whether a difference in a region could come before the one already found} */
        private boolean mayComeBefore(Region region) {
            Difference known = first.get();
            return known == null || Differences.isBefore(Longs.asList(region.origin()), known.index());
        }
    }
}
