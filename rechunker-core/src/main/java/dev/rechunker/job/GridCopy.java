package dev.rechunker.job;

import dev.rechunker.exec.Spills;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import java.util.Optional;

/**
 * A copy from one grid into another, of which nothing else is known.
 *
 * @param source the chunks that are read
 * @param target the chunks that are written
 * @param itemSize bytes of an element
 * @param compressed whether source chunks are read and decoded whole
 * @param threads the threads of the process
 * @param spill whether a temporary copy may be written
 * @param costModel the devices
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
                    "chunks of an array of " + source.shape() + " do not become those of one of " + target.shape());
        }
        if (itemSize <= 0) {
            throw new IllegalArgumentException("an element of " + itemSize + " bytes; it has at least 1");
        }
    }

    /** {@return the copy of uncompressed chunks by a thread for each processor} */
    public static GridCopy of(ChunkGrid source, ChunkGrid target, int itemSize) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new GridCopy(source, target, itemSize, false, processors, true, CostModel.SSD);
    }

    /** {@return this copy of chunks that are, or are not, compressed} */
    public GridCopy withCompressed(boolean are) {
        return new GridCopy(source, target, itemSize, are, threads, spill, costModel);
    }

    /** {@return this copy by a number of threads} */
    public GridCopy withThreads(int number) {
        return new GridCopy(source, target, itemSize, compressed, number, spill, costModel);
    }

    /** {@return this copy with or without a temporary copy} */
    public GridCopy withSpill(boolean allowed) {
        return new GridCopy(source, target, itemSize, compressed, threads, allowed, costModel);
    }

    /** {@return this copy on other devices} */
    public GridCopy withCostModel(CostModel model) {
        return new GridCopy(source, target, itemSize, compressed, threads, spill, model);
    }

    /**
     * {@return the plan}
     *
     * @throws IllegalArgumentException if there is no thread, or the array has more than 2^63 bytes
     * @throws dev.rechunker.run.InfeasiblePlanException if no plan holds the bound
     */
    public CopyPlan plan(ByteSize maxMem) {
        Resources resources = new Resources(maxMem.bytes(), threads, spill, costModel)
                .withCompression(Spills.codec(costModel).map(codec -> Spills.traits(codec, itemSize)));
        return new Planner().plan(problem(), resources);
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
