package dev.rechunker.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Strategy;
import dev.rechunker.testing.Cases;
import org.junit.jupiter.api.Test;

/** Each piece is drawn after all elements of the pieces before it. */
class SpillPanelTest {
    @Test
    void piecesFollowOneAnother() {
        Cases.check(200, cases -> {
            Shape shape = cases.shape();
            if (shape.isEmpty()) {
                return;
            }
            ChunkGrid slabs = cases.grid(shape);
            ChunkGrid windows = cases.regularGrid(shape);
            SpillPanel panel = new SpillPanel(slabs, new Strategy.Copy(windows, ChunkGrid.regular(shape, shape)), 1, 0);
            Region window = windows.regionAt(cases.between(0, windows.count() - 1));
            Region touching = slabs.chunksTouching(window);
            Odometer index = new Odometer(touching);
            double before = 0;
            for (long piece = 0; index.next(); piece++) {
                assertEquals(before, panel.before(piece, touching, window));
                before += (double) slabs.region(index.index())
                        .intersect(window)
                        .orElseThrow()
                        .elements();
            }
            assertEquals((double) window.elements(), before);
        });
    }
}
