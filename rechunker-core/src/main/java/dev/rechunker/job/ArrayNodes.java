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
}
