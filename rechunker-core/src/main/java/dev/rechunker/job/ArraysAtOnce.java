package dev.rechunker.job;

import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * The arrays of a plan that are so small that several of them are copied at once, each by one thread. What takes time
 * then is to open and to create them, not to move their elements.
 */
final class ArraysAtOnce {
    /** A plan without small arrays. */
    static final ArraysAtOnce NONE = new ArraysAtOnce(new BitSet(), List.of(), 0, 1);

    /** The fewest small arrays that are worth it. */
    private static final int FEWEST = 16;
    /** The largest small array, in bytes. */
    private static final long LARGEST = 1 << 24;
    /** The most chunks that a small array has in source and target together. */
    private static final long MOST_CHUNKS = 64;

    private final BitSet numbers;
    private final List<Stage> stages;
    private final long heldBytes;
    private final int most;

    private ArraysAtOnce(BitSet numbers, List<Stage> stages, long heldBytes, int most) {
        this.numbers = numbers;
        this.stages = stages;
        this.heldBytes = heldBytes;
        this.most = most;
    }

    /**
     * {@return the small arrays of a plan}
     *
     * @param arrays all arrays of the plan
     * @param threads the number of threads that copy
     * @param maxMem the memory limit, in bytes
     */
    static ArraysAtOnce of(List<JobArray> arrays, int threads, long maxMem) {
        Set<String> fused = Fusion.levelsOf(arrays);
        BitSet numbers = new BitSet();
        for (int number = 0; number < arrays.size(); number++) {
            JobArray array = arrays.get(number);
            if (isSmall(array) && !fused.contains(array.path())) {
                numbers.set(number);
            }
        }
        if (numbers.cardinality() < FEWEST) {
            return NONE;
        }
        List<Stage> stages = numbers.stream()
                .boxed()
                .flatMap(number -> arrays.get(number).copy().stages().stream())
                .toList();
        long held = numbers.stream()
                .mapToLong(number -> arrays.get(number).heldBytes())
                .max()
                .orElse(0);
        long each = Math.max(1, Stage.totalBytes(stages) + held);
        int most = (int) Math.min(threads, maxMem / each);
        return most < 2 ? NONE : new ArraysAtOnce(numbers, stages, held, most);
    }

    private static boolean isSmall(JobArray array) {
        List<Stage> stages = array.copy().stages();
        return array.fusion().isEmpty()
                && array.temporaryCopies() == 0
                && stages.size() == 1
                && stages.get(0).memory().workspaceBytes() <= Workspace.MAX_BUFFER
                && Math.max(array.source().bytes(), array.target().bytes()) <= LARGEST
                && chunks(array) <= MOST_CHUNKS;
    }

    private static double chunks(JobArray array) {
        return (double) array.source().chunks().count()
                + array.target().chunks().count();
    }

    /** {@return whether an array is small} */
    boolean contains(int number) {
        return numbers.get(number);
    }

    /** {@return how many are copied at once} */
    int most() {
        return most;
    }

    /** {@return the stages of all small arrays} */
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
