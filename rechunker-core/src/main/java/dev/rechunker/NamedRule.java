package dev.rechunker;

import com.google.common.collect.Maps;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.job.ChunkText;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The rule that a text states for arrays whose path a pattern matches. */
record NamedRule(Predicate<String> pattern, ChunkText text) implements ChunkRule {
    @Override
    public Optional<Shape> chunks(String path, ArraySpec source) {
        return pattern.test(path) ? text.ofNamed(path, source) : Optional.empty();
    }

    @Override
    public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        Map<String, ArraySpec> matched = Maps.filterKeys(arrays, pattern::test);
        return matched.isEmpty() ? Set.of() : text.unknownAxes(matched);
    }
}
