package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * Copies a plane whose fast axes differ in source and target, tile by tile, so that a cache line is used up while it is
 * in the cache.
 */
final class Tiles {
    /** Elements along the edge of a tile, by their width: whole cache lines of 64 bytes on both sides. */
    private static int edge(int width) {
        return Math.max(16, 64 / width);
    }

    private Tiles() {}

    /**
     * Copies {@code rows} times {@code columns} elements of 1, 2, 4 or 8 bytes. Going along rows is fast in the source,
     * along columns in the target; strides are in bytes.
     */
    static void copy(
            ByteBuffer source,
            long from,
            long fromRow,
            long fromColumn,
            ByteBuffer target,
            long to,
            long toRow,
            long toColumn,
            long rows,
            long columns,
            int width,
            boolean swap) {
        int edge = edge(width);
        for (long row = 0; row < rows; row += edge) {
            int height = (int) Math.min(edge, rows - row);
            for (long column = 0; column < columns; column += edge) {
                int breadth = (int) Math.min(edge, columns - column);
                for (int r = 0; r < height; r++) {
                    Runs.copy(
                            source,
                            from + (row + r) * fromRow + column * fromColumn,
                            fromColumn,
                            target,
                            to + (row + r) * toRow + column * toColumn,
                            toColumn,
                            breadth,
                            width,
                            swap ? width : 1);
                }
            }
        }
    }
}
