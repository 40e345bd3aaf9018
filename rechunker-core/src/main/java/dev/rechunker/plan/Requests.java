package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;

/**
 * The numbers of requests of a plan if source, target and temporary copies are in object stores. A chunk is one value,
 * as is a write unit.
 *
 * @param sourceReads the reads of chunks of the source, or of ranges of them
 * @param targetWrites the write units
 * @param spillWrites the writes of temporary copies; 0 if they are in files
 * @param spillReads the reads of temporary copies; 0 if they are in files
 */
public record Requests(double sourceReads, double targetWrites, double spillWrites, double spillReads) {
    /** {@return the numbers of a plan} */
    public static Requests of(CopyPlan plan) {
        double units = plan.stages().isEmpty() ? 0 : plan.problem().target().count();
        int copies = plan.strategy().copies().size();
        if (copies == 0) {
            return new Requests(Math.max(0, plan.cost().requests() - units), units, 0, 0);
        }
        if (plan.resources().remoteSpill().isEmpty()) {
            double visits = plan.cost().sourceReadsPerChunk();
            return new Requests(visits * plan.problem().reads().count(), units, 0, 0);
        }
        RemoteSpill spill = plan.resources().remoteSpill().get();
        int itemSize = plan.problem().itemSize();
        double writes = 0;
        double reads = 0;
        for (int copy = 0; copy < copies; copy++) {
            ChunkGrid slabs = plan.stages().get(copy).windows();
            long bytes = Math.multiplyExact(slabs.largestChunk().elements(), (long) itemSize);
            writes += (double) slabs.count() * spill.putRequests(bytes);
            reads += plan.stages().get(copy + 1).source().count();
        }
        return new Requests(Math.max(0, plan.cost().requests() - units - writes - reads), units, writes, reads);
    }
}
