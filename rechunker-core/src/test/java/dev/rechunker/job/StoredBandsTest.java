package dev.rechunker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bands are large, also where no number of them is even. */
class StoredBandsTest {
    private static final int PRIME = Integer.MAX_VALUE;

    private static Shape bands(Shape array, Shape chunk, Shape unit) {
        return StoredBands.of(ChunkGrid.regular(array, chunk), ChunkGrid.regular(array, unit), List.of(1, 0), 1)
                .chunkShape();
    }

    @Test
    void bandsCutUnitsEvenly() {
        assertEquals(Shape.of(4, 1 << 20), bands(Shape.of(4, 1L << 32), Shape.of(4, 1L << 32), Shape.of(4, 1L << 24)));
    }

    @Test
    void bandsOfOneChunkAreLargeIfNoneCutsUnitsEvenly() {
        assertEquals(Shape.of(4, 1 << 20), bands(Shape.of(4, PRIME), Shape.of(4, PRIME), Shape.of(4, PRIME)));
    }
}
