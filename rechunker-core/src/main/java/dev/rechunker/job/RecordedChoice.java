package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.StoreLocation;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A choice of chunks that records the arrays that it is asked for, and the chunks that it chooses. */
final class RecordedChoice implements ChunkChoice {
    private final ChunkChoice choice;
    private final Map<String, ArraySpec> arrays = new LinkedHashMap<>();
    private final Map<String, ChunkGrid> chosen = new LinkedHashMap<>();

    RecordedChoice(ChunkChoice choice) {
        this.choice = choice;
    }

    @Override
    public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
        arrays.put(path, source);
        Optional<ChunkGrid> chunk = choice.chunks(path, source);
        chunk.ifPresent(grid -> chosen.put(path, grid));
        return chunk;
    }

    /** {@return the chunks that were chosen, by the path of the array} */
    Map<String, ChunkGrid> chosen() {
        return chosen;
    }

    /**
     * Checks that each axis that chunks and shards name belongs to one of the arrays.
     *
     * @throws IllegalArgumentException if one does not, as it may be misspelt
     */
    void requireKnownAxes(StoreLocation source, Optional<String> shards) {
        requireNone("chunks", choice.unknownAxes(arrays), source);
        Optional<ChunkText> text =
                shards.filter(asked -> !asked.equals("none")).map(asked -> ChunkText.parse("shards", asked));
        requireNone("shards", text.map(asked -> asked.unknownAxes(arrays)).orElse(Set.of()), source);
    }

    private void requireNone(String subject, Set<String> unknown, StoreLocation source) {
        if (!unknown.isEmpty()) {
            Set<@Nullable String> known = new LinkedHashSet<>();
            arrays.values().forEach(array -> known.addAll(array.dimensionNames()));
            known.remove(null);
            throw new IllegalArgumentException(subject + " names " + unknown + ", but the axes of the arrays in "
                    + source + " are called " + known);
        }
    }
}
