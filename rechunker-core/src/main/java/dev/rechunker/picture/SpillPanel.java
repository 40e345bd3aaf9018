package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.NumberText;
import dev.rechunker.plan.Strategy;
import java.util.List;

/**
 * The drawing of the temporary copy of the first block. It has a bar for each window, with a length proportional to its
 * bytes and a cut between the pieces of different slabs. The part that stays in memory has the colour of memory.
 */
final class SpillPanel {
    private static final int MOST_ROWS = 11;
    private static final double LABEL = 70;

    private final ChunkGrid slabs;
    private final ChunkGrid windows;
    private final int itemSize;
    private final long residentBytes;
    private final ChunkGrid blocks;
    private final Region rows;
    private long every = 1;

    SpillPanel(ChunkGrid slabs, Strategy.Copy copy, int itemSize, long residentBytes) {
        this.slabs = slabs;
        this.windows = copy.windows();
        this.itemSize = itemSize;
        this.residentBytes = residentBytes;
        this.blocks = copy.blocks();
        this.rows = windows.chunksTouching(blocks.regionAt(0));
    }

    /** Draws the bars. Marks what the first slab writes if {@code written}, else what the first window reads. */
    void draw(Svg svg, double x, double y, double width, double height, boolean written) {
        long count = rows.elements();
        boolean all = count <= MOST_ROWS;
        int shown = (int) Math.min(count, MOST_ROWS);
        double pitch = Math.min(30, height / shown);
        double thick = pitch * 0.7;
        double above = y + (height - pitch * shown) / 2;
        double perByte = (width - LABEL) / bytes(windows.largestChunk().elements());
        double resident = residentBytes;
        Odometer index = new Odometer(rows);
        for (int row = 0; row < shown && index.next(); row++) {
            boolean gap = !all && row == shown - 1;
            double top = above + row * pitch;
            if (gap) {
                svg.text(x + LABEL, top + thick, Svg.Anchor.START, Svg.SMALL, "m", "⋮  " + more(count - row), width);
                continue;
            }
            String label = "window " + NumberText.count(row + 1L);
            svg.text(x, top + thick / 2 + 4, Svg.Anchor.START, Svg.TINY, "m", label, LABEL);
            Region window = windows.region(index.index());
            double inMemory = Math.max(0, Math.min(resident, bytes(window.elements())));
            resident -= inMemory;
            svg.rect(x + LABEL, top, bytes(window.elements()) * perByte, thick, "spill");
            if (inMemory > 0) {
                svg.rect(x + LABEL, top, inMemory * perByte, thick, "task");
            }
            drawBar(svg, x + LABEL, top, perByte, thick, window, row == 0, written);
        }
    }

    private static String more(long count) {
        return NumberText.count(count) + " more";
    }

    private void drawBar(
            Svg svg, double x, double y, double perByte, double thick, Region window, boolean first, boolean written) {
        double length = bytes(window.elements()) * perByte;
        Region touching = slabs.chunksTouching(window);
        every = Math.max(
                every,
                BoxDrawing.interval(
                        touching.elements() - 1, bytes(windows.largestChunk().elements()) * perByte));
        if (written && slabs.ordinal(touching.origin()) == 0) {
            Region part = slabs.regionAt(0).intersect(window).orElseThrow();
            drawTask(svg, x, y, Math.max(2, bytes(part.elements()) * perByte), thick);
        }
        if (first && !written) {
            drawTask(svg, x, y, length, thick);
        }
        StringBuilder cuts = new StringBuilder();
        for (long piece = every; piece < touching.elements(); piece += every) {
            double cut = x + before(piece, touching, window) * itemSize * perByte;
            cuts.append(Svg.segment(cut, y, cut, y + thick));
        }
        svg.path(cuts.toString(), "cuts spill-cuts");
        svg.path(Svg.polygon(x, y, x + length, y, x + length, y + thick, x, y + thick), "edge spill-cuts");
    }

    private static void drawTask(Svg svg, double x, double y, double width, double height) {
        svg.rect(x, y, width, height, "task").rect(x, y, width, height, "striped");
    }

    /** {@return the number of elements of a window in the pieces before a piece, in row-major order of the pieces} */
    double before(long piece, Region touching, Region window) {
        double elements = 0;
        double inside = 1;
        long rest = piece;
        for (int axis = slabs.rank() - 1; axis >= 0; axis--) {
            long index = touching.start(axis) + rest % touching.extent(axis);
            rest /= touching.extent(axis);
            double start = Math.max(window.start(axis), slabs.axis(axis).start(index));
            double end = Math.min(window.end(axis), slabs.axis(axis).end(index));
            elements = elements * (end - start) + (start - window.start(axis)) * inside;
            inside *= window.extent(axis);
        }
        return elements;
    }

    private double bytes(long elements) {
        return (double) elements * itemSize;
    }

    /** {@return the number of pieces and their mean size, as text} */
    String pieces() {
        double pieces = slabs.pieces(windows);
        return NumberText.count(pieces, "piece") + ", "
                + NumberText.bytes(bytes(slabs.shape().elements()) / pieces) + " on average";
    }

    /** {@return the size of the temporary copy that exists at one time, as text} */
    String blocks() {
        String size = NumberText.bytes(bytes(blocks.largestChunk().elements()));
        if (residentBytes > 0) {
            return NumberText.bytes(residentBytes) + " of " + (blocks.count() == 1 ? "" : "each ") + size
                    + " in memory";
        }
        return blocks.count() == 1
                ? size + " at once"
                : NumberText.count(blocks.count(), "block") + " of " + size + ", one at a time";
    }

    /** {@return a phrase such as "every 10th cut" if the last drawing has only some of the cuts, else empty} */
    List<String> leftOut() {
        return every == 1 ? List.of() : List.of(NumberText.every(every, "cut"));
    }
}
