package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.job.ChunkText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The rule that a text states for arrays whose path a pattern matches. */
record NamedRule(Predicate<String> pattern, ChunkText text) implements ChunkRule {
    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        return pattern.test(path) ? text.ofNamed(path, source) : Optional.empty();
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        Map<String, ArraySpec> matched = new LinkedHashMap<>(arrays);
        matched.keySet().removeIf(pattern.negate());
        return matched.isEmpty() ? Set.of() : text.unknownAxes(matched);
    }
}
