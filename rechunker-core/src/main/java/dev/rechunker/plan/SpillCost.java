package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.resource.CostModel;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The cost of the stages of a spill. */
final class SpillCost {
    private final SpillStages stages;
    private final Problem problem;
    private final Resources resources;
    private final CostModel model;

    SpillCost(SpillStages stages) {
        this.stages = stages;
        this.problem = stages.problem();
        this.resources = stages.resources();
        this.model = resources.costModel();
    }

    /** {@return the cost if {@code residentBytes} of each block stay in memory} */
    Cost keeping(long residentBytes) {
        double bytes = problem.bytes();
        List<Strategy.Copy> copies = stages.copies();
        long kept =
                SpillStages.inMemory(copies.get(0).blocks(), residentBytes / problem.itemSize()) * problem.itemSize();
        long spilled = LongMath.saturatedMultiply(copies.size(), problem.bytes()) - kept;
        double share = spilled / (copies.size() * bytes);
        double[] pieces =
                IntStream.range(0, copies.size()).mapToDouble(stages::pieces).toArray();
        ChunkGrid slabs = stages.regions().get(0);
        ChunkGrid windows = stages.regions().get(stages.regions().size() - 1);
        Pieces bySlab = new Pieces(problem.reads());
        double sourceReads = WindowDrafter.requests(problem, slabs, bySlab);
        if (problem.reading() == Reading.ANY_BYTES) {
            sourceReads = Math.max(sourceReads, reads(0));
        }
        double chunks = sourceReads + problem.target().count();
        Spilling spilling = resources.remoteSpill().isPresent()
                ? remotely(resources.remoteSpill().get())
                : locally(pieces, (double) spilled, share);
        double storedRead = problem.storedRead(1);
        double storedWritten = problem.stored().target();
        double storedSpill = spilled / (stages.isCompressed() ? model.spillRatio() : 1);
        double seconds = storedRead / model.readBytesPerSecond()
                + spilling.seconds
                + storedWritten / model.writeBytesPerSecond()
                + model.secondsOf(chunks, stages.lanes())
                + problem.codecBytes(bytes) / (model.codecBytesPerSecond() * stages.lanes());
        long atOnce = copies.stream()
                .mapToLong(copy -> stages.blockBytes(copy.blocks()))
                .reduce(0, LongMath::saturatedAdd);
        // The part that stays in memory is assembled there, window by window.
        double operations = DoubleStream.of(pieces).sum() * share + windows.count() * (1 - share);
        return new Cost(
                bytes + spilled,
                bytes + spilled,
                storedRead + storedSpill,
                storedWritten + storedSpill,
                spilled,
                Math.max(0, atOnce - residentBytes),
                bySlab.visits(slabs),
                operations,
                chunks + spilling.requests,
                seconds);
    }

    /** {@return the seconds for one more temporary copy, without requests} */
    double copySeconds() {
        return movingSeconds((double) problem.bytes());
    }

    /** {@return the seconds for writing bytes to a spill and reading them back, without requests} */
    private double movingSeconds(double bytes) {
        return resources.remoteSpill().isPresent()
                ? bytes / model.writeBytesPerSecond() + bytes / model.readBytesPerSecond()
                : model.spillSeconds(bytes, stages.isCompressed(), stages.lanes());
    }

    /** The cost of writing a spill and reading it back. */
    private record Spilling(double requests, double seconds) {}

    private Spilling locally(double[] pieces, double spilled, double share) {
        double requests = 0;
        for (int copy = 0; copy < pieces.length; copy++) {
            requests += (pieces[copy] + Math.max(apart(copy), reads(copy + 1))) * share;
        }
        return new Spilling(requests, movingSeconds(spilled) + requests * model.requestSeconds());
    }

    /** {@return the number of separate regions of a copy when it is read back} */
    private double apart(int copy) {
        ChunkGrid source = stages.stages().get(copy + 1).source();
        boolean joins = !source.equals(stages.stages().get(copy).units());
        return joins ? source.count() : stages.pieces(copy);
    }

    /** {@return the number of reads of a stage, by the size of reads that the memory of a lane allows} */
    private double reads(int stage) {
        return (double) problem.bytes()
                / Math.max(problem.itemSize(), stages.stages().get(stage).readBytes(problem.itemSize()));
    }

    /** {@return the seconds that could be saved if lanes had the most memory for reading that they ever get} */
    double shortReadSeconds() {
        double fewest = (double) problem.bytes() / StageBuilder.MOST_READ_BYTES;
        double seconds = 0;
        if (problem.reading() == Reading.ANY_BYTES) {
            double chunks = WindowDrafter.requests(problem, stages.regions().get(0), new Pieces(problem.reads()));
            seconds += model.secondsOf(Math.max(0, reads(0) - chunks), stages.lanes());
        }
        for (int copy = 0; copy < stages.regions().size() - 1 && resources.readsBackAnyBytes(); copy++) {
            double more = reads(copy + 1) - Math.max(fewest, apart(copy));
            seconds += model.requestSeconds() * Math.max(0, more);
        }
        return seconds;
    }

    private Spilling remotely(RemoteSpill spill) {
        double requests = 0;
        for (int copy = 0; copy < stages.regions().size() - 1; copy++) {
            ChunkGrid slabs = stages.regions().get(copy);
            requests += (double) slabs.count() * spill.putRequests(stages.blockBytes(slabs))
                    + stages.stages().get(copy + 1).source().count();
        }
        return new Spilling(
                requests, (stages.regions().size() - 1) * copySeconds() + model.secondsOf(requests, stages.lanes()));
    }
}
