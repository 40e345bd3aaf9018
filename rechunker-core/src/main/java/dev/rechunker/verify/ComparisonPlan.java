package dev.rechunker.verify;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.InfeasiblePlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The windows in which two arrays are compared: one at a time is in memory, whole, beside what each thread is reading.
 *
 * <p>The windows are chosen so that the chunks of both sides are read as few times as possible, all in all.
 *
 * @param windows the windows
 * @param windowBytes the bytes of the largest
 * @param threads the threads that read at once
 * @param bufferBytes the buffer of a thread
 * @param scratchBytes the scratch of a thread
 * @param bytes everything that is held, by the readers too
 * @param leastBytes the least that would have done
 */
record ComparisonPlan(
        ChunkGrid windows,
        long windowBytes,
        int threads,
        int bufferBytes,
        int scratchBytes,
        long bytes,
        long leastBytes) {
    /** A sample is of so many windows, if the array has so many. */
    private static final int SAMPLES = 16;

    /** How many windows are tried at most, for a number of threads. */
    private static final double MOST_TRIED = 100_000;

    /**
     * {@return the plan with the least to read}
     *
     * @param share of the elements that will be compared
     * @throws InfeasiblePlanException if none holds the bound
     */
    static ComparisonPlan of(ComparedSide a, ComparedSide b, ByteSize maxMem, int threads, double share) {
        long buffer = Math.max(a.bufferBytes(), b.bufferBytes());
        long scratch = Math.max(a.scratchBytes(), b.scratchBytes());
        long lane = buffer + scratch + Math.max(a.nativeBytes(), b.nativeBytes());
        int itemSize = a.spec().dataType().itemSize();
        if (buffer > Workspace.MAX_BUFFER || scratch > Workspace.MAX_BUFFER) {
            throw new InfeasiblePlanException(
                    "a chunk of " + ByteSize.of(buffer) + " is more than a buffer can hold, so it cannot be compared");
        }
        long held = Math.addExact(a.heldBytes(), b.heldBytes());
        long least = held + lane + itemSize;
        long mostWanted = mostElements(a.spec(), b.spec(), share);
        Search search = new Search(a, b);
        Choice best = null;
        int lanes = 1;
        for (int tried = 1; tried <= threads; tried++) {
            long left = Math.min(maxMem.bytes() - held - tried * lane, Workspace.MAX_BUFFER) / itemSize;
            Choice choice = left < 1 ? null : search.best(Math.min(left, mostWanted), tried);
            if (choice != null && (best == null || choice.cost / tried < best.cost / lanes)) {
                best = choice;
                lanes = tried;
            }
        }
        if (best == null) {
            throw new InfeasiblePlanException(
                    "comparing arrays with chunks of " + a.spec().chunks().chunkShape() + " and "
                            + b.spec().chunks().chunkShape() + " takes more",
                    maxMem.bytes(),
                    least);
        }
        ChunkGrid windows = ChunkGrid.regular(a.spec().shape(), Shape.of(best.window));
        long window = windows.largestChunk().elements() * itemSize;
        return new ComparisonPlan(
                windows, window, lanes, (int) buffer, (int) scratch, window + lanes * lane + held, least);
    }

    /** {@return the size of the window, then of the buffer and of the scratch of each thread} */
    List<Long> bufferSizes() {
        List<Long> sizes = new ArrayList<>(List.of(windowBytes));
        for (int i = 0; i < threads; i++) {
            sizes.addAll(List.of((long) bufferBytes, (long) scratchBytes));
        }
        return sizes;
    }

    /** {@return how large a window may be so that a share is more than a few of them, but a chunk is read for much} */
    private static long mostElements(ArraySpec a, ArraySpec b, double share) {
        double few = share >= 1 ? Long.MAX_VALUE : a.shape().elements() * share / SAMPLES;
        long chunk = Math.min(
                a.chunks().largestChunk().elements(), b.chunks().largestChunk().elements());
        return Math.max(chunk, (long) few);
    }

    private static final class Choice {
        final long[] window;
        final double cost;

        Choice(long[] window, double cost) {
            this.window = window.clone();
            this.cost = cost;
        }
    }

    /**
     * Tries products of a few extents per axis. What counts are bytes: those that are read, of both sides; those that
     * could be read while threads wait for the last one, which for each window and side is half a read; and those of
     * the window, as memory that is used for the first time takes about as long.
     */
    private static final class Search {
        private final ComparedSide a;
        private final ComparedSide b;
        private final List<List<Candidate>> axes = new ArrayList<>();
        private final int itemSize;
        private final long[] window;
        private final double[] piecesOfA;
        private final double[] piecesOfB;
        private long mostElements;
        private double waiting;
        private @Nullable Choice best;

        /** One extent, how many windows it makes, and into how large pieces these cut the chunks of each side. */
        private record Candidate(long extent, long windows, double pieceOfA, double pieceOfB) {}

        Search(ComparedSide a, ComparedSide b) {
            this.a = a;
            this.b = b;
            this.itemSize = a.spec().dataType().itemSize();
            Shape shape = a.spec().shape();
            window = new long[shape.rank()];
            piecesOfA = new double[shape.rank()];
            piecesOfB = new double[shape.rank()];
            int perAxis = (int) Math.max(4, Math.min(60, Math.pow(MOST_TRIED, 1.0 / Math.max(1, shape.rank()))));
            for (int axis = 0; axis < shape.rank(); axis++) {
                List<Candidate> candidates = new ArrayList<>();
                for (long extent : extents(axis, perAxis)) {
                    Partition windows = Partition.regular(shape.extent(axis), extent);
                    candidates.add(new Candidate(
                            extent, windows.count(), a.pieceExtent(axis, windows), b.pieceExtent(axis, windows)));
                }
                axes.add(candidates);
            }
        }

        /** {@return multiples and parts of the chunks of both sides, the whole axis and single elements among them} */
        private List<Long> extents(int axis, int most) {
            long length = Math.max(1, a.spec().shape().extent(axis));
            TreeSet<Long> extents = new TreeSet<>(List.of(1L, length));
            for (ComparedSide side : List.of(a, b)) {
                long step = Math.min(length, side.spec().chunks().axis(axis).step());
                for (long part = step; part > 1; part = (part + 1) / 2) {
                    extents.add(part);
                }
                long chunks = (length - 1) / step + 1;
                for (long parts = 2, shown = -1; parts < chunks; parts += 1 + parts / 8) {
                    long multiple = (chunks - 1) / parts + 1;
                    if (multiple != shown) {
                        extents.add(Math.min(length, multiple * step));
                        shown = multiple;
                    }
                }
            }
            List<Long> all = new ArrayList<>(extents);
            List<Long> thinned = new ArrayList<>();
            for (int i = 0; i < Math.min(most, all.size()); i++) {
                thinned.add(all.get(all.size() <= most ? i : (int) ((long) i * (all.size() - 1) / (most - 1))));
            }
            return thinned;
        }

        @Nullable
        Choice best(long elements, int threads) {
            mostElements = elements;
            waiting = (threads - 1) * (a.bufferBytes() + b.bufferBytes()) / 2.0;
            best = null;
            descend(0, 1, 1);
            return best;
        }

        private void descend(int axis, long elements, double windows) {
            if (axis == window.length) {
                double cost = a.cost(piecesOfA) + b.cost(piecesOfB) + windows * waiting + (double) elements * itemSize;
                if (best == null || cost < best.cost) {
                    best = new Choice(window, cost);
                }
                return;
            }
            for (Candidate candidate : axes.get(axis)) {
                if (candidate.extent > mostElements / elements) {
                    return;
                }
                window[axis] = candidate.extent;
                piecesOfA[axis] = candidate.pieceOfA;
                piecesOfB[axis] = candidate.pieceOfB;
                descend(axis + 1, elements * candidate.extent, windows * candidate.windows);
            }
        }
    }
}
