package dev.rechunker.io.fuzz;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads all nodes and small arrays of a store. The elements of large arrays are not read. */
public final class Walk {
    /** The longest element of variable length that is read. */
    private static final int LONGEST = 300;

    private static final long MOST_BYTES = 1 << 20;
    private static final long MOST_CHUNKS = 2000;

    private final ChunkStore store;
    private int nodesLeft;
    private @Nullable IOException refusal;

    private Walk(ChunkStore store, int mostNodes) {
        this.store = store;
        this.nodesLeft = mostNodes;
    }

    /**
     * Visits a node and all nodes below it, including those after a node that cannot be read.
     *
     * @throws IOException that the first node that cannot be read has thrown
     */
    public static void from(ChunkStore store, String path, int mostNodes) throws IOException {
        Walk walk = new Walk(store, mostNodes);
        walk.visit(path);
        if (walk.refusal != null) {
            throw walk.refusal;
        }
    }

    private void visit(String path) {
        if (nodesLeft-- <= 0) {
            return;
        }
        try {
            Optional<Node> node = store.node(path);
            if (node.isPresent() && node.get() instanceof ArrayNode) {
                read(store, path);
            } else {
                store.omissions(path);
                for (String child : store.children(path)) {
                    visit(NodePaths.below(path, child));
                }
            }
        } catch (IOException e) {
            refusal = refusal == null ? e : refusal;
        }
    }

    /** {@return all elements of an array; null if the array is large according to its metadata} */
    public static byte @Nullable [] read(ChunkStore store, String path) throws IOException {
        store.omissions(path);
        if (store.node(path).orElse(null) instanceof ArrayNode array
                && array.spec().dataType().isVariable()) {
            readAll(store.variableLength().orElseThrow().openLengths(path, MOST_BYTES));
            return readAll(store.variableLength().orElseThrow().openReader(path, LONGEST, MOST_BYTES));
        }
        return readAll(store.openReader(path));
    }

    private static byte @Nullable [] readAll(ArrayReader opened) throws IOException {
        try (ArrayReader reader = opened) {
            ArraySpec spec = reader.spec();
            ReadTraits traits = reader.traits();
            boolean small = spec.shape().rank() < 20 && spec.dataType().itemSize() <= 1 << 16;
            long elements = 1;
            long chunks = 1;
            for (int axis = 0; small && axis < spec.shape().rank(); axis++) {
                elements *= Math.max(
                        spec.shape().extent(axis), spec.chunks().chunkShape().extent(axis));
                chunks *= spec.chunks().axis(axis).count();
                small = spec.shape().extent(axis) <= MOST_BYTES
                        && elements * spec.dataType().itemSize() <= MOST_BYTES
                        && chunks <= MOST_CHUNKS;
            }
            boolean taken = small && traits.scratchBytes() + traits.heldBytes() <= 8 * MOST_BYTES;
            return taken ? Data.readAll(reader) : null;
        }
    }
}
