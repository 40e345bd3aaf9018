package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The first of two rules that applies to an array. */
record FirstRule(ChunkRule rule, ChunkRule other) implements ChunkRule {
    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        return rule.chunks(path, source).or(() -> other.chunks(path, source));
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        Set<String> unknown = new TreeSet<>(rule.unknownAxes(arrays));
        unknown.addAll(other.unknownAxes(arrays));
        return unknown;
    }
}
