package dev.rechunker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A target where nothing exists is asked about that as a whole, and otherwise node by node. */
class TargetCheckTest {
    private static final ArraySpec SPEC = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.INT8)
            .build();
    private static final int ARRAYS = 50;

    private final MemoryStore memory = new MemoryStore();
    private final Questions target = new Questions(memory);

    /** Counts what is asked before the first array is created. */
    private static final class Questions extends ForwardingStore {
        private boolean begun;
        private int nodes;
        private int free;

        Questions(MemoryStore store) {
            super(store);
        }

        @Override
        public Optional<Node> node(String path) throws IOException {
            nodes += begun ? 0 : 1;
            return super.node(path);
        }

        @Override
        public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
            free += begun ? 0 : 1;
            super.requireFree(path, resolved, overwrite);
        }

        @Override
        protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
            begun = true;
            return super.openWriter(path, opening);
        }
    }

    private void copyTo(String path) throws Exception {
        MemoryStore source = new MemoryStore();
        for (int i = 0; i < ARRAYS; i++) {
            Data.of(SPEC).write(source, "g/a" + i);
        }
        Rechunker.from(source)
                .to(target.at(path))
                .chunks("keep")
                .maxMem("1MB")
                .plan()
                .execute();
    }

    @Test
    void aNewTargetIsAskedOnce() throws Exception {
        copyTo("new/copy");
        assertEquals(0, target.nodes);
        assertEquals(1, target.free);
        Data.of(SPEC).check(memory, "new/copy/g/a49");
    }

    @Test
    void otherNodesMayExist() throws Exception {
        memory.writeGroup("new", Map.of());
        Data.of(SPEC).write(memory, "new/copy2");
        copyTo("new/copy");
        assertEquals(0, target.nodes);
        assertEquals(1, target.free);
    }

    @Test
    void aGroupWithoutContentsIsExamined() throws Exception {
        memory.writeGroup("new/copy", Map.of());
        copyTo("new/copy");
        assertTrue(target.nodes > ARRAYS);
        assertEquals(ARRAYS, target.free);
    }

    @Test
    void anArrayInTheWayIsFound() throws Exception {
        Data.of(SPEC).write(memory, "new/copy/g/a49");
        assertThrows(RefusedException.class, () -> copyTo("new/copy"));
    }

    @Test
    void anArrayAboveIsFound() throws Exception {
        Data.of(SPEC).write(memory, "new");
        assertThrows(RefusedException.class, () -> copyTo("new/copy"));
        assertEquals(1, target.free);
        assertEquals(1, memory.children("").size());
    }
}
