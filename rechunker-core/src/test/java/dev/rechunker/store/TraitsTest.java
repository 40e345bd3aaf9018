package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.WriteTraits.PartTraits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Invalid traits of stores are refused when they are created. */
class TraitsTest {
    @Test
    void negativeBytesAreNamed() {
        refused(
                "scratchBytes",
                () -> ReadTraits.of(ReadTraits.Granularity.CHUNK).withScratchBytes(-1));
        refused("nativeBytes", () -> ReadTraits.of(ReadTraits.Granularity.CHUNK).withNativeBytes(-1));
        refused("heldBytes", () -> ReadTraits.of(ReadTraits.Granularity.CHUNK).withHeldBytes(-1));
        refused("scratchBytes", () -> WriteTraits.PLAIN.withScratchBytes(-1));
        refused("nativeBytes", () -> WriteTraits.PLAIN.withNativeBytes(-1));
        refused("heldBytes", () -> WriteTraits.PLAIN.withHeldBytes(-1));
        ChunkGrid grid = ChunkGrid.regular(Shape.of(4), Shape.of(2));
        refused("scratchBytes", () -> PartTraits.of(grid).withScratchBytes(-1));
        refused("nativeBytes", () -> PartTraits.of(grid).withNativeBytes(-1));
        refused("unitBytes", () -> PartTraits.of(grid).withUnitBytes(-1));
    }

    private static void refused(String name, Executable creation) {
        assertEquals(
                name + " are -1, but must be 0 or more",
                assertThrows(IllegalArgumentException.class, creation).getMessage());
    }
}
