package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.ChunkText;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rule that a text states for all arrays. */
record TextRule(ChunkText text) implements ChunkRule {
    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        return text.chunks(path, source);
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        return text.unknownAxes(arrays);
    }
}
