package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * A copier of planes that are transposed between source and target. It works on tiles that fit the cache: each is read
 * from contiguous bytes of the source into an array, transposed there, and written to contiguous bytes of the target.
 */
final class Tiles {
    /** The size of a tile in bytes: half of a first-level cache. */
    private static final int TILE = 16 << 10;
    /** The least number of contiguous bytes on both sides for which tiles are worthwhile. */
    private static final int LEAST = 32;
    /** The number of elements up to which a plain loop is as fast, as everything stays in the cache; measured. */
    private static final int SMALL = 64 * 64;

    private final ByteBuffer source;
    private final long fromColumn;
    private final ByteBuffer target;
    private final long toRow;
    private final int run;
    private final int word;
    private final int edge;
    private final byte[] tile;
    private final byte[] gathered;

    /**
     * Creates a copier of planes that are contiguous by column in the source and by row in the target.
     *
     * @param fromColumn the distance in bytes from a column to the next one in the source
     * @param toRow the distance in bytes from a row to the next one in the target
     * @param run the size of an element in bytes
     * @param word the size of an element to reverse its bytes, or 1 to copy it unchanged
     */
    Tiles(ByteBuffer source, long fromColumn, ByteBuffer target, long toRow, int run, int word) {
        this.source = source;
        this.fromColumn = fromColumn;
        this.target = target;
        this.toRow = toRow;
        this.run = run;
        this.word = word;
        this.edge = Math.max(1, (int) Math.sqrt((double) TILE / run));
        this.tile = new byte[edge * edge * run];
        this.gathered = new byte[edge * run];
    }

    /**
     * {@return whether tiles are faster than a plain loop; never if words smaller than an element are to be reversed}
     */
    static boolean isWorthwhile(long rows, long columns, int run, int word) {
        return (word == 1 || word == run) && rows * columns > SMALL && rows * run >= LEAST && columns * run >= LEAST;
    }

    /** Copies a plane that starts at {@code from} in the source and at {@code to} in the target. */
    void copy(long from, long to, long rows, long columns) {
        for (long row = 0; row < rows; row += edge) {
            int height = (int) Math.min(edge, rows - row);
            for (long column = 0; column < columns; column += edge) {
                int breadth = (int) Math.min(edge, columns - column);
                read(from + row * run + column * fromColumn, height, breadth);
                for (int r = 0; r < height; r++) {
                    gatherRow(r, height, breadth);
                    long at = to + (row + r) * toRow + column * run;
                    target.put(Math.toIntExact(at), gathered, 0, breadth * run);
                }
            }
        }
    }

    private void read(long from, int height, int breadth) {
        for (int c = 0; c < breadth; c++) {
            source.get(Math.toIntExact(from + c * fromColumn), tile, c * height * run, height * run);
        }
    }

    /** Gathers the elements of one row of the tile. */
    private void gatherRow(int row, int height, int breadth) {
        int stride = height * run;
        int at = row * run;
        if (run == 1) {
            for (int c = 0; c < breadth; c++, at += stride) {
                gathered[c] = tile[at];
            }
        } else if (run == 2 || run == 4 || run == 8) {
            gatherWords(at, stride, breadth, word > 1);
        } else {
            for (int c = 0; c < breadth; c++, at += stride) {
                System.arraycopy(tile, at, gathered, c * run, run);
            }
        }
    }

    private void gatherWords(int first, int stride, int breadth, boolean swap) {
        int at = first;
        switch (run) {
            case 2 -> {
                for (int c = 0; c < breadth; c++, at += stride) {
                    short v = (short) WordHandles.ARRAY_SHORT.get(tile, at);
                    WordHandles.ARRAY_SHORT.set(gathered, c << 1, swap ? Short.reverseBytes(v) : v);
                }
            }
            case 4 -> {
                for (int c = 0; c < breadth; c++, at += stride) {
                    int v = (int) WordHandles.ARRAY_INT.get(tile, at);
                    WordHandles.ARRAY_INT.set(gathered, c << 2, swap ? Integer.reverseBytes(v) : v);
                }
            }
            default -> {
                for (int c = 0; c < breadth; c++, at += stride) {
                    long v = (long) WordHandles.ARRAY_LONG.get(tile, at);
                    WordHandles.ARRAY_LONG.set(gathered, c << 3, swap ? Long.reverseBytes(v) : v);
                }
            }
        }
    }
}
