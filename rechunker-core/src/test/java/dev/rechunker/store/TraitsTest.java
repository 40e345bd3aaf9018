package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What stores say of the memory they take is checked where they say it. */
class TraitsTest {
    @Test
    void negativeBytesAreNamed() {
        refused("scratchBytes", () -> new ReadTraits(ReadTraits.Granularity.CHUNK, false, -1, 0, 0));
        refused("nativeBytes", () -> new ReadTraits(ReadTraits.Granularity.CHUNK, false, 0, -1, 0));
        refused("heldBytes", () -> new ReadTraits(ReadTraits.Granularity.CHUNK, false, 0, 0, -1));
        refused("scratchBytes", () -> new WriteTraits(false, -1, 0));
        refused("nativeBytes", () -> new WriteTraits(false, 0, -1));
        refused("heldBytes", () -> new WriteTraits(false, 0, 0, -1));
        ChunkGrid grid = ChunkGrid.regular(Shape.of(4), Shape.of(2));
        refused("scratchBytes", () -> new PartTraits(grid, -1, 0, 0));
        refused("nativeBytes", () -> new PartTraits(grid, 0, -1, 0));
        refused("unitBytes", () -> new PartTraits(grid, 0, 0, -1));
    }

    private static void refused(String name, Executable creation) {
        assertEquals(
                name + " are -1, but are 0 or more",
                assertThrows(IllegalArgumentException.class, creation).getMessage());
    }
}
