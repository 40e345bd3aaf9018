package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arrays of a hierarchy, before it is planned. */
final class ArrayNodes {
    private ArrayNodes() {}

    /**
     * {@return the specs of the arrays at a location and below it by their paths below it, in the order of the store}
     * Arrays that are not understood are not among them; they are left out of the copy, or refused when it is planned.
     */
    static Map<String, ArraySpec> of(StoreLocation root) throws IOException {
        Map<String, ArraySpec> arrays = new LinkedHashMap<>();
        Deque<String> left = new ArrayDeque<>(List.of(""));
        while (!left.isEmpty()) {
            String path = left.removeLast();
            StoreLocation place = root.resolve(path);
            ChunkStore.Node node;
            try {
                node = place.store().node(place.path()).orElse(null);
            } catch (StoreException notUnderstood) {
                continue;
            }
            if (node instanceof ChunkStore.ArrayNode array) {
                arrays.put(path, array.spec());
                continue;
            }
            List<String> children = new ArrayList<>(place.store().children(place.path()));
            Collections.reverse(children);
            children.forEach(child -> left.addLast(NodePaths.below(path, child)));
        }
        return arrays;
    }

    /**
     * {@return the spec of the array at a location; empty if there is no array}
     *
     * @throws StoreException if there is a node that is not understood
     */
    static Optional<ArraySpec> at(StoreLocation place) throws IOException {
        return place.store().node(place.path()).orElse(null) instanceof ChunkStore.ArrayNode array
                ? Optional.of(array.spec())
                : Optional.empty();
    }

    /** {@return the spec of the array at a location; empty if there is no array that is understood} */
    static Optional<ArraySpec> understoodAt(StoreLocation place) throws IOException {
        try {
            return at(place);
        } catch (StoreException notUnderstood) {
            return Optional.empty();
        }
    }
}
