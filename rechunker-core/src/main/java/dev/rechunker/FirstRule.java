package dev.rechunker;

import com.google.common.collect.Sets;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The first of two rules that applies to an array. */
record FirstRule(ChunkRule rule, ChunkRule other) implements ChunkRule {
    @Override
    public Optional<Shape> chunks(String path, ArraySpec source) {
        return rule.chunks(path, source).or(() -> other.chunks(path, source));
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        return Sets.union(rule.unknownAxes(arrays), other.unknownAxes(arrays));
    }
}
