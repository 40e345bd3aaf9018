package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Where each chunk is, by its ordinal in the grid: place in the file, and where chunks are filtered stored bytes and
 * mask. Kept in pages that exist once a chunk in them does. Filled by one thread, then read by any number.
 */
final class ChunkIndex implements IndexLoader.Visitor {
    private static final int PAGE = 1 << 10;

    private static final long MOST_CHUNKS = Integer.MAX_VALUE;

    private final ChunkGrid grid;
    private final boolean filtered;
    private final Page[] pages;

    private static final class Page {
        private final long[] places;
        private final int @Nullable [] sizes;
        private final int @Nullable [] masks;

        Page(int length, boolean filtered) {
            places = new long[length];
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
     * {@return the memory of the index of so many chunks, at most, and of reading it}
     *
     * @throws StoreException if they are too many for one
     */
    static long bytes(long chunks, boolean filtered) throws StoreException {
        if (chunks > MOST_CHUNKS) {
            throw new StoreException("it has " + chunks + " chunks, but an index holds " + MOST_CHUNKS);
        }
        long entry = Long.BYTES + (filtered ? 2L * Integer.BYTES : 0);
        long pages = (chunks + PAGE - 1) / PAGE;
        // A node of a B-tree that was seen takes less than 64 bytes, and there is one for 32 chunks.
        return chunks * entry + 80 * pages + 2 * chunks + (1 << 16);
    }

    @Override
    public void chunk(long[] index, long place, long size, int mask) throws StoreException {
        long ordinal = grid.ordinal(index);
        if (place <= 0 || size < 0 || size > Integer.MAX_VALUE - 8) {
            throw new StoreException("chunk " + ordinal + " has " + size + " bytes at byte " + place + " of the file");
        }
        int page = (int) (ordinal / PAGE);
        Page entries = pages[page];
        if (entries == null) {
            entries = new Page((int) Math.min(PAGE, grid.count() - (long) page * PAGE), filtered);
            pages[page] = entries;
        }
        int at = (int) (ordinal % PAGE);
        if (entries.places[at] != 0) {
            throw new StoreException("chunk " + ordinal + " is listed twice");
        }
        entries.places[at] = place;
        if (entries.sizes != null && entries.masks != null) {
            entries.sizes[at] = (int) size;
            entries.masks[at] = mask;
        }
    }

    /** {@return where a chunk is in the file; 0 if it was never written} */
    long place(long ordinal) {
        Page page = pages[(int) (ordinal / PAGE)];
        return page == null ? 0 : page.places[(int) (ordinal % PAGE)];
    }

    /** {@return the stored bytes of a chunk that was written and is filtered} */
    int size(long ordinal) {
        int[] sizes = pages[(int) (ordinal / PAGE)].sizes;
        return sizes == null ? 0 : sizes[(int) (ordinal % PAGE)];
    }

    /** {@return a bit for each filter that a chunk, which was written, went without} */
    int mask(long ordinal) {
        int[] masks = pages[(int) (ordinal / PAGE)].masks;
        return masks == null ? 0 : masks[(int) (ordinal % PAGE)];
    }
}
