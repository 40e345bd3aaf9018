package dev.rechunker.verify;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The windows in which two arrays are compared, and the memory that this takes. One window at a time is in memory, and
 * the piece that each thread is reading.
 *
 * <p>Windows are chosen so that the chunks of both arrays are read as few times as possible in total.
 *
 * @param windows the windows
 * @param windowBytes the size of the largest window in bytes
 * @param threads the number of threads that read at the same time
 * @param bufferBytes the size of the buffer of a thread in bytes
 * @param scratchBytes the size of the scratch of a thread in bytes
 * @param bytes the memory in use in bytes, including that of the readers
 * @param leastBytes the least possible bound in bytes
 */
record ComparisonPlan(
        ChunkGrid windows,
        long windowBytes,
        int threads,
        int bufferBytes,
        int scratchBytes,
        long bytes,
        long leastBytes) {
    /** The number of windows of a sample, if the array has as many. */
    private static final int SAMPLES = 16;

    /** The most shapes of windows that are tried for each number of threads. */
    private static final double MOST_TRIED = 100_000;

    /**
     * {@return the plan that reads least}
     *
     * @param share the share of elements that will be compared
     * @throws InfeasiblePlanException if no plan fits {@code maxMem}
     */
    static ComparisonPlan of(ComparedSide a, ComparedSide b, ByteSize maxMem, int threads, double share) {
        long buffer = Math.max(a.bufferBytes(), b.bufferBytes());
        long scratch = Math.max(a.scratchBytes(), b.scratchBytes());
        long lane = buffer + scratch + Math.max(a.nativeBytes(), b.nativeBytes());
        int itemSize = a.spec().dataType().itemSize();
        if (buffer > Workspace.MAX_BUFFER || scratch > Workspace.MAX_BUFFER) {
            throw new InfeasiblePlanException("chunks of " + ByteSize.of(buffer)
                    + " cannot be compared, as a buffer has at most " + ByteSize.of(Workspace.MAX_BUFFER));
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

    /** {@return the size of the window buffer, then those of the buffer and the scratch of each thread, in bytes} */
    List<Long> bufferSizes() {
        List<Long> sizes = new ArrayList<>(List.of(windowBytes));
        for (int i = 0; i < threads; i++) {
            sizes.addAll(List.of((long) bufferBytes, (long) scratchBytes));
        }
        return sizes;
    }

    /** {@return the most elements of a window: few enough that a sample has many windows, but at least a chunk} */
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
     * The search for the shape of the windows, which tries all combinations of a few extents per axis.
     *
     * <p>The cost of a shape is in bytes. It is the sum of the bytes that are read of both arrays; of those that could
     * be read while threads wait for the last one to finish a window, which is half a read for each window and side;
     * and of those of the window, as the first use of memory takes about as long as reading.
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

        /**
         * An extent of windows on an axis, the number of windows, and the mean extent of pieces of each side's chunks.
         */
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

        /** {@return the extents to try: multiples and fractions of the chunks of both sides, 1, and the whole axis} */
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
