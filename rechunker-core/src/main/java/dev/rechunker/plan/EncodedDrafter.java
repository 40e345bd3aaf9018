package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.CostModel;
import java.util.List;
import java.util.Optional;

/**
 * Drafts {@link Strategy.CopyEncoded}, which moves 2 N bytes without decoding them: write units as they are stored, or
 * their chunks one by one.
 */
final class EncodedDrafter implements Planner.Drafter {
    @Override
    public Optional<Draft> draft(Problem problem, Resources resources, int lanes) {
        return Lane.encoded(problem).flatMap(lane -> draft(problem, resources, lanes, lane));
    }

    private static Optional<Draft> draft(Problem problem, Resources resources, int lanes, Lane lane) {
        Stage.Memory memory = new Stage.Memory(
                lanes, 0, lane.bufferBytes(), lane.nativeBytes(), 0, 0, Workspace.MAX_BUFFER, lane.bufferBytes(), 0, 0);
        if (memory.total() > resources.maxMem()) {
            return Optional.empty();
        }
        ChunkGrid tasks =
                WindowDrafter.largestWindows(problem, resources.maxMem()).orElse(problem.target());
        boolean chunkByChunk = problem.encoded().orElseThrow().chunkByChunk();
        ChunkGrid read = chunkByChunk ? problem.source() : problem.target();
        Stage stage = new Stage(
                "copy encoded",
                chunkByChunk ? Stage.Kind.PACKED : Stage.Kind.ENCODED,
                tasks,
                read,
                problem.target(),
                null,
                false,
                Odometer.naturalOrder(problem.target().rank()),
                memory);
        double bytes = problem.bytes();
        double requests = (double) read.count() + problem.target().count();
        CostModel model = resources.costModel();
        double stored = problem.stored().source();
        double seconds = stored / model.readBytesPerSecond()
                + stored / model.writeBytesPerSecond()
                + model.secondsOf(requests, lanes);
        return Optional.of(new Draft(
                new Strategy.CopyEncoded(tasks),
                List.of(stage),
                new Cost(bytes, bytes, stored, stored, 0, 0, 1, tasks.count(), requests, seconds)));
    }

    @Override
    public double leastSeconds(Problem problem, Resources resources, int lanes) {
        return 0;
    }
}
