package dev.rechunker.job;

import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Resources;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.InfeasiblePlanException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The arrays of a plan that are so small that several of them are copied at once, each by one thread. What takes time
 * then is to open and to create them, not to move their elements.
 */
final class ArraysAtOnce {
    /** The fewest small arrays that are worth it. */
    private static final int FEWEST = 16;
    /** The largest small array, in bytes. */
    private static final long LARGEST = 1 << 24;
    /** The most chunks that a small array has in source and target together. */
    private static final long MOST_CHUNKS = 64;

    private final List<JobArray> all;
    private final BitSet numbers;
    private final List<Stage> stages;
    private final long heldBytes;
    private final int most;

    private ArraysAtOnce(List<JobArray> all, BitSet numbers, int threads, long maxMem) {
        this.all = all;
        this.numbers = numbers;
        this.stages = numbers.stream()
                .boxed()
                .flatMap(number -> all.get(number).copy().stages().stream())
                .toList();
        this.heldBytes = numbers.stream()
                .mapToLong(number -> all.get(number).heldBytes())
                .max()
                .orElse(0);
        this.most = (int) Math.min(threads, maxMem / Math.max(1, Stage.totalBytes(stages) + heldBytes));
    }

    /** {@return a plan of arrays that are copied one after the other} */
    static ArraysAtOnce none(List<JobArray> arrays) {
        return new ArraysAtOnce(arrays, new BitSet(), 1, 0);
    }

    /**
     * {@return the small arrays among those of a plan, which are planned again, for one thread each}
     *
     * @param threads the number of threads that copy
     * @param maxMem the memory limit, in bytes
     */
    static ArraysAtOnce of(List<JobArray> arrays, int threads, long maxMem) {
        Set<String> fused = Fusion.levelsOf(arrays);
        int[] small = IntStream.range(0, arrays.size())
                .filter(number -> isSmall(arrays.get(number))
                        && !fused.contains(arrays.get(number).path()))
                .toArray();
        if (small.length < FEWEST) {
            return none(arrays); // without planning them again
        }
        List<JobArray> changed = new ArrayList<>(arrays);
        BitSet numbers = new BitSet();
        for (int number : small) {
            forOneThread(arrays.get(number), threads).ifPresent(single -> {
                changed.set(number, single);
                numbers.set(number);
            });
        }
        ArraysAtOnce found = new ArraysAtOnce(changed, numbers, threads, maxMem);
        return numbers.cardinality() < FEWEST || found.most < 2 ? none(arrays) : found;
    }

    private static boolean isSmall(JobArray array) {
        return array.fusion().isEmpty()
                && isOneStage(array.copy())
                && Math.max(array.source().bytes(), array.target().bytes()) <= LARGEST
                && chunks(array) <= MOST_CHUNKS;
    }

    private static boolean isOneStage(CopyPlan copy) {
        return copy.strategy().copies().isEmpty()
                && copy.stages().size() == 1
                && copy.stages().get(0).memory().workspaceBytes() <= Workspace.MAX_BUFFER;
    }

    private static double chunks(JobArray array) {
        return (double) array.source().chunks().count()
                + array.target().chunks().count();
    }

    /**
     * {@return an array planned for one thread, if possible in its share of the memory, that reads no more than now}
     */
    private static Optional<JobArray> forOneThread(JobArray array, int threads) {
        CopyPlan now = array.copy();
        Resources alone = now.resources().withThreads(1);
        for (int shares = threads; shares > 1; shares /= 2) {
            try {
                CopyPlan copy = new Planner().plan(now.problem(), alone.withMemory(alone.maxMem() / shares));
                if (isOneStage(copy) && copy.cost().bytesRead() <= now.cost().bytesRead()) {
                    return Optional.of(array.by(copy));
                }
            } catch (InfeasiblePlanException e) {
                // It may need a larger share.
            }
        }
        return Optional.empty();
    }

    /** {@return all arrays of the plan} */
    List<JobArray> all() {
        return all;
    }

    /** {@return whether an array is copied at the same time as others} */
    boolean contains(int number) {
        return numbers.get(number);
    }

    /** {@return how many are copied at once} */
    int most() {
        return most;
    }

    /** {@return the stages of those that are copied at once} */
    List<Stage> stages() {
        return stages;
    }

    /** {@return the memory of the open readers and writers of those that are copied at once, in bytes} */
    long heldBytes() {
        return most * heldBytes;
    }

    /** {@return the memory for all that are copied at once, in bytes} */
    long bytes() {
        return most * Stage.totalBytes(stages) + heldBytes();
    }
}
