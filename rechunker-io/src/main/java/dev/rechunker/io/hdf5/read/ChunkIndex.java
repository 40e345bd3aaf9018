package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The position of each chunk in the file, by the chunk's ordinal in the grid. If chunks are filtered, the index also
 * has their stored sizes and filter masks. Pages of the index are allocated when their first chunk is added. One thread
 * fills the index; then any number of threads may read it.
 */
final class ChunkIndex implements IndexLoader.Visitor {
    private static final int PAGE = 1 << 10;

    private static final long MOST_CHUNKS = Integer.MAX_VALUE;

    private final ChunkGrid grid;
    private final boolean filtered;
    private final Page[] pages;

    private static final class Page {
        private final long[] positions;
        private final int @Nullable [] sizes;
        private final int @Nullable [] masks;

        Page(int length, boolean filtered) {
            positions = new long[length];
            sizes = filtered ? new int[length] : null;
            masks = filtered ? new int[length] : null;
        }
    }

    ChunkIndex(ChunkGrid grid, boolean filtered) {
        this.grid = grid;
        this.filtered = filtered;
        this.pages = new Page[(int) ((grid.count() + PAGE - 1) / PAGE)];
    }

    /**
     * {@return the memory of an index of {@code chunks} chunks and of reading it, at most, in bytes}
     *
     * @throws StoreException if there are too many chunks for an index
     */
    static long bytes(long chunks, boolean filtered) throws StoreException {
        if (chunks > MOST_CHUNKS) {
            throw new StoreException("it has " + chunks + " chunks; at most " + MOST_CHUNKS + " are supported");
        }
        long entry = Long.BYTES + (filtered ? 2L * Integer.BYTES : 0);
        long pages = (chunks + PAGE - 1) / PAGE;
        // The set of visited B-tree nodes takes less than 64 bytes per node, and a node has at least 32 chunks.
        return chunks * entry + 80 * pages + 2 * chunks + (1 << 16);
    }

    @Override
    public void chunk(long[] index, long position, long size, int mask) throws StoreException {
        long ordinal = grid.ordinal(index);
        if (position <= 0 || size < 0 || size > Integer.MAX_VALUE - 8) {
            throw new StoreException("chunk " + ordinal + " has " + size + " bytes at position " + position
                    + " of the file," + " which is not valid");
        }
        int page = (int) (ordinal / PAGE);
        Page entries = pages[page];
        if (entries == null) {
            entries = new Page((int) Math.min(PAGE, grid.count() - (long) page * PAGE), filtered);
            pages[page] = entries;
        }
        int at = (int) (ordinal % PAGE);
        if (entries.positions[at] != 0) {
            throw new StoreException("chunk " + ordinal + " is listed twice");
        }
        entries.positions[at] = position;
        if (entries.sizes != null && entries.masks != null) {
            entries.sizes[at] = (int) size;
            entries.masks[at] = mask;
        }
    }

    /** {@return the position of a chunk in the file; 0 if it was never written} */
    long position(long ordinal) {
        Page page = pages[(int) (ordinal / PAGE)];
        return page == null ? 0 : page.positions[(int) (ordinal % PAGE)];
    }

    /** {@return the stored size of a filtered chunk that was written, in bytes} */
    int size(long ordinal) {
        int[] sizes = pages[(int) (ordinal / PAGE)].sizes;
        return sizes == null ? 0 : sizes[(int) (ordinal % PAGE)];
    }

    /** {@return the filter mask of a chunk that was written: a bit for each filter that was not applied} */
    int mask(long ordinal) {
        int[] masks = pages[(int) (ordinal / PAGE)].masks;
        return masks == null ? 0 : masks[(int) (ordinal % PAGE)];
    }
}
