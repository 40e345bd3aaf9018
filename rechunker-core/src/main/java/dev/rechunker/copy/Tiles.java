package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * Copies planes whose fast axes differ in source and target, tile by tile: a tile is read row after row into the heap,
 * turned there, and written column after column, so that both buffers are only touched in whole lines of the cache.
 */
final class Tiles {
    /** Bytes of a tile: half of a first-level cache. */
    private static final int TILE = 16 << 10;
    /** The fewest bytes that have to lie together on both sides. */
    private static final int LEAST = 32;
    /** Elements of a plane that a plain loop copies as fast, by measurement: what it touches stays in the cache. */
    private static final int SMALL = 64 * 64;

    private final ByteBuffer source;
    private final long fromColumn;
    private final ByteBuffer target;
    private final long toRow;
    private final int run;
    private final int word;
    private final int edge;
    private final byte[] tile;
    private final byte[] turned;

    /**
     * Prepares planes whose rows lie apart in the target, elements going along rows lying together in the source, and
     * whose columns lie apart in the source, elements going along columns lying together in the target.
     *
     * @param fromColumn bytes from a column to the next one in the source
     * @param toRow bytes from a row to the next one in the target
     * @param run bytes per element
     * @param word the size of words to reverse, that of an element; 1 for none
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
        this.turned = new byte[edge * run];
    }

    /** {@return whether this is faster than a plain loop; where words are reversed, an element has to be one} */
    static boolean isWorthwhile(long rows, long columns, int run, int word) {
        return (word == 1 || word == run) && rows * columns > SMALL && rows * run >= LEAST && columns * run >= LEAST;
    }

    /** Copies a plane that starts at these offsets. */
    void copy(long from, long to, long rows, long columns) {
        for (long row = 0; row < rows; row += edge) {
            int height = (int) Math.min(edge, rows - row);
            for (long column = 0; column < columns; column += edge) {
                int breadth = (int) Math.min(edge, columns - column);
                read(from + row * run + column * fromColumn, height, breadth);
                for (int r = 0; r < height; r++) {
                    turn(r, height, breadth);
                    long at = to + (row + r) * toRow + column * run;
                    target.put(Math.toIntExact(at), turned, 0, breadth * run);
                }
            }
        }
    }

    private void read(long from, int height, int breadth) {
        for (int c = 0; c < breadth; c++) {
            source.get(Math.toIntExact(from + c * fromColumn), tile, c * height * run, height * run);
        }
    }

    /** Gathers the elements of a row. */
    private void turn(int row, int height, int breadth) {
        int stride = height * run;
        int at = row * run;
        if (run == 1) {
            for (int c = 0; c < breadth; c++, at += stride) {
                turned[c] = tile[at];
            }
        } else if (run == 2 || run == 4 || run == 8) {
            turnWords(at, stride, breadth, word > 1);
        } else {
            for (int c = 0; c < breadth; c++, at += stride) {
                System.arraycopy(tile, at, turned, c * run, run);
            }
        }
    }

    private void turnWords(int first, int stride, int breadth, boolean swap) {
        int at = first;
        switch (run) {
            case 2 -> {
                for (int c = 0; c < breadth; c++, at += stride) {
                    short v = (short) Words.ARRAY_SHORT.get(tile, at);
                    Words.ARRAY_SHORT.set(turned, c << 1, swap ? Short.reverseBytes(v) : v);
                }
            }
            case 4 -> {
                for (int c = 0; c < breadth; c++, at += stride) {
                    int v = (int) Words.ARRAY_INT.get(tile, at);
                    Words.ARRAY_INT.set(turned, c << 2, swap ? Integer.reverseBytes(v) : v);
                }
            }
            default -> {
                for (int c = 0; c < breadth; c++, at += stride) {
                    long v = (long) Words.ARRAY_LONG.get(tile, at);
                    Words.ARRAY_LONG.set(turned, c << 3, swap ? Long.reverseBytes(v) : v);
                }
            }
        }
    }
}
