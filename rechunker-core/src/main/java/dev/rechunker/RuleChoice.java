package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.ChunkChoice;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The choice of chunks that a rule makes. */
record RuleChoice(ChunkRule rule) implements ChunkChoice {
    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        return rule.chunks(path, source);
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        return rule.unknownAxes(arrays);
    }
}
