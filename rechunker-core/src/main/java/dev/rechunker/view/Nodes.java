package dev.rechunker.view;

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

/** What is at locations of stores, before a copy is planned. */
public final class Nodes {
    private Nodes() {}

    /**
     * {@return the specs of the arrays at a location and below it by their paths below it, in the order of the store}
     * Arrays that are not understood are not among them; they are left out of the copy, or refused when it is planned.
     */
    public static Map<String, ArraySpec> arrays(StoreLocation root) throws IOException {
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
     * {@return the node at a location; empty if there is none that is understood} Others are left out of the copy, or
     * refused when it is planned.
     */
    public static Optional<ChunkStore.Node> understood(StoreLocation place) throws IOException {
        try {
            return place.store().node(place.path());
        } catch (StoreException notUnderstood) {
            return Optional.empty();
        }
    }

    /**
     * {@return the spec of the array at a location; empty if there is no array}
     *
     * @throws StoreException if there is a node that is not understood
     */
    public static Optional<ArraySpec> array(StoreLocation place) throws IOException {
        return place.store().node(place.path()).flatMap(Nodes::spec);
    }

    /** {@return the spec of the array at a location; empty if there is no array that is understood} */
    public static Optional<ArraySpec> understoodArray(StoreLocation place) throws IOException {
        return understood(place).flatMap(Nodes::spec);
    }

    private static Optional<ArraySpec> spec(ChunkStore.Node node) {
        return node instanceof ChunkStore.ArrayNode array ? Optional.of(array.spec()) : Optional.empty();
    }
}
