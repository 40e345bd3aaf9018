package dev.rechunker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.run.Loss;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Groups in groups in groups. */
class DeepHierarchyTest {
    private static final ArraySpec SPEC = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.INT8)
            .dimensionNames(List.of("x"))
            .build();
    /** A stack that a few hundred nested calls would exhaust. */
    private static final long STACK = 256 << 10;

    private static String path(int groups, String leaf) {
        return "g/".repeat(groups) + leaf;
    }

    private static <T> T withLittleStack(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(null, task, "little stack", STACK).start();
        return task.get();
    }

    @Test
    void deepGroupsAreCopiedUpToTheStatedLimit() throws Exception {
        MemoryStore source = new MemoryStore();
        Data.of(SPEC).write(source, path(NodePaths.MOST_LEVELS, "deepest"));
        Data.of(SPEC).write(source, path(10, "near"));
        MemoryStore target = new MemoryStore();
        withLittleStack(() -> Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .region("x=0:2")
                .plan()
                .execute());
        Data.of(SPEC).check(target, path(NodePaths.MOST_LEVELS, "deepest"));
        Data.of(SPEC).check(target, path(10, "near"));
    }

    @Test
    void whatIsNestedDeeperIsLeftOutAndNamed() throws Exception {
        MemoryStore source = new MemoryStore();
        Data.of(SPEC).write(source, path(3 * NodePaths.MOST_LEVELS, "deepest"));
        Data.of(SPEC).write(source, "near");
        Plan plan = withLittleStack(() -> Rechunker.from(source)
                .to(new MemoryStore())
                .chunks("keep")
                .maxMem("1MB")
                .plan());
        List<Loss> losses = plan.losses();
        assertEquals(1, losses.size(), losses::toString);
        assertTrue(
                Loss.sentences(losses).get(0).endsWith("is not understood, and left out: " + NodePaths.TOO_DEEP),
                losses::toString);
        assertEquals(Loss.Kind.ARRAY, losses.get(0).kind());
    }
}
