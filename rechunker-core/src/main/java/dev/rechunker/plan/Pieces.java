package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of pieces into which windows cut the chunks of a source, by axis. Each is counted once, because the same
 * windows of an axis occur in many combinations, and counting takes time if there are many irregular cuts.
 */
final class Pieces {
    private final ChunkGrid source;
    private final List<Map<Partition, Double>> counted = new ArrayList<>();

    Pieces(ChunkGrid source) {
        this.source = source;
        for (int axis = 0; axis < source.rank(); axis++) {
            counted.add(new HashMap<>());
        }
    }

    /** {@return the number of pieces of an axis that is cut at the borders of chunks and of windows} */
    double of(int axis, Partition windows) {
        return counted.get(axis)
                .computeIfAbsent(windows, cuts -> (double) source.axis(axis).pieces(cuts));
    }

    /** {@return the number of windows that touch a chunk, on average} */
    double visits(ChunkGrid windows) {
        double visits = 1;
        for (int axis = 0; axis < source.rank(); axis++) {
            visits *= of(axis, windows.axis(axis)) / source.axis(axis).count();
        }
        return visits;
    }
}
