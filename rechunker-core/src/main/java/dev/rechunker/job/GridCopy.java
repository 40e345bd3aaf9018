package dev.rechunker.job;

import dev.rechunker.exec.Spills;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.InfeasiblePlanException;
import java.util.Optional;

/**
 * A copy of which only the grids and a few numbers are known.
 *
 * @param source the chunks that are read
 * @param target the chunks that are written
 * @param itemSize the size of an element in bytes
 * @param compressed whether source chunks are read and decoded whole
 * @param threads the number of threads
 * @param spill whether a temporary copy may be written
 * @param costModel the cost model of the storage
 */
public record GridCopy(
        ChunkGrid source,
        ChunkGrid target,
        int itemSize,
        boolean compressed,
        int threads,
        boolean spill,
        CostModel costModel) {
    /** Checks that both grids are of the same array. */
    public GridCopy {
        if (!source.shape().equals(target.shape())) {
            throw new IllegalArgumentException(
                    "source and target have different shapes: " + source.shape() + " and " + target.shape());
        }
        if (itemSize <= 0) {
            throw new IllegalArgumentException(
                    "the size of an element is " + itemSize + " bytes, but must be at least 1");
        }
    }

    /** {@return the copy of uncompressed chunks with one thread per processor} */
    public static GridCopy of(ChunkGrid source, ChunkGrid target, int itemSize) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new GridCopy(source, target, itemSize, false, processors, true, CostModel.SSD);
    }

    /** {@return this copy with source chunks that are compressed, or not} */
    public GridCopy withCompressed(boolean value) {
        return new GridCopy(source, target, itemSize, value, threads, spill, costModel);
    }

    /** {@return this copy with a number of threads} */
    public GridCopy withThreads(int number) {
        return new GridCopy(source, target, itemSize, compressed, number, spill, costModel);
    }

    /** {@return this copy with or without a temporary copy} */
    public GridCopy withSpill(boolean allowed) {
        return new GridCopy(source, target, itemSize, compressed, threads, allowed, costModel);
    }

    /** {@return this copy with another cost model} */
    public GridCopy withCostModel(CostModel model) {
        return new GridCopy(source, target, itemSize, compressed, threads, spill, model);
    }

    /**
     * {@return the plan}
     *
     * @throws IllegalArgumentException if the number of threads is less than 1, or the array has more than 2^63 bytes
     * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit
     */
    public CopyPlan plan(ByteSize maxMem) {
        Resources resources = new Resources(maxMem.bytes(), threads, spill, costModel)
                .withCompression(Spills.codec(costModel).map(codec -> Spills.traits(codec, itemSize)));
        Problem problem = problem();
        try {
            return new Planner().plan(problem, resources);
        } catch (InfeasiblePlanException e) {
            throw ReadAdvice.with(e, problem, resources);
        }
    }

    private Problem problem() {
        try {
            return compressed ? ofWholeChunks() : Problem.uncompressed(source, target, itemSize);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "an array of " + source.shape() + " in chunks of " + source.chunkShape() + " and "
                            + target.chunkShape() + " with " + itemSize + " bytes per element exceeds 2^63 bytes",
                    e);
        }
    }

    private Problem ofWholeChunks() {
        long chunkBytes = Math.multiplyExact(source.largestChunk().elements(), (long) itemSize);
        return new Problem(
                        source,
                        target,
                        itemSize,
                        Problem.Reading.WHOLE_CHUNKS,
                        new Problem.ReaderMemory(chunkBytes, 0, 0),
                        Problem.WriterMemory.NONE,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        0)
                .copyingEncoded();
    }
}
