package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.GridCopy;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import java.util.function.UnaryOperator;

/**
 * A copy that is planned from numbers alone, without any store.
 *
 * <pre>{@code
 * Shape shape = Shape.of(8901, 720, 1440);
 * PlannedCopy copy = Estimate.of(
 *                 ChunkGrid.regular(shape, Shape.of(12, 720, 1440)),
 *                 ChunkGrid.regular(shape, Shape.of(8901, 72, 72)),
 *                 4)
 *         .plan("2GB");
 * }</pre>
 *
 * <p>The memory that codecs use is not included. Immutable: each option returns a changed estimate.
 */
public final class Estimate {
    private final GridCopy copy;

    private Estimate(GridCopy copy) {
        this.copy = copy;
    }

    /**
     * {@return the estimate of a copy of uncompressed chunks from one grid to another, with one thread per processor}
     *
     * @param source the chunks of the array
     * @param target the chunks of the copy; the array has the same shape
     * @param itemSize the size of an element in bytes
     * @throws IllegalArgumentException if the shapes differ, or the item size is less than 1
     */
    public static Estimate of(ChunkGrid source, ChunkGrid target, int itemSize) {
        return new Estimate(GridCopy.of(source, target, itemSize));
    }

    private Estimate with(UnaryOperator<GridCopy> change) {
        return new Estimate(change.apply(copy));
    }

    /** {@return the estimate for compressed source chunks, each of which is read and decoded whole} */
    public Estimate compressed() {
        return with(c -> c.withCompressed(true));
    }

    /** {@return the estimate for a number of threads} */
    public Estimate threads(int threads) {
        return with(c -> c.withThreads(threads));
    }

    /** {@return the estimate without a temporary copy, even if the source then has to be read several times} */
    public Estimate noSpill() {
        return with(c -> c.withSpill(false));
    }

    /** {@return the estimate for storage with these costs; by default {@link CostModel#SSD}} */
    public Estimate costModel(CostModel model) {
        return with(c -> c.withCostModel(requireNonNull(model, "model")));
    }

    /**
     * {@return the plan within a memory limit, a size in the form of {@link ByteSize#parse}; see
     * {@link #plan(ByteSize)}}
     */
    public PlannedCopy plan(String maxMem) {
        return plan(ByteSize.parse(maxMem));
    }

    /**
     * {@return the plan within a memory limit}
     *
     * @throws IllegalArgumentException if the number of threads is less than 1, or the array has more than 2^63 bytes
     * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit
     */
    public PlannedCopy plan(ByteSize maxMem) {
        return new PlannedCopy(copy.plan(maxMem), 0);
    }
}
