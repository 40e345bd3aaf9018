package dev.rechunker.io.codec;

import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The positions of the blocks of a Blosc frame that is read from a source, so that no more of it is read than the
 * wanted blocks take. Positions are listed in the frame, 4 bytes each; they are read in pages.
 *
 * <p>A block ends where the next one begins. Several threads may have written blocks a little out of order; then the
 * next one is among its neighbours. Not thread-safe.
 */
final class BlockPlaces {
    /** The size of the buffer for positions. */
    static final int BUFFER = 4096;

    /** The number of blocks on each side of a block that may have been written before or after it, out of order. */
    private static final int NEIGHBOURS = 32;

    /** Blocks that are read at once are at least this part of the bytes that are read. */
    private static final double LEAST_SHARE = 0.8;

    private final BloscFrame frame;
    private final EncodedUnit source;
    private final ByteBuffer page;
    private int pageStart;
    private int pageEnd;
    private int usableEnd;

    /** @param page a little-endian buffer of {@link #BUFFER} bytes */
    BlockPlaces(BloscFrame frame, EncodedUnit source, ByteBuffer page) {
        this.frame = frame;
        this.source = source;
        this.page = page;
    }

    /** {@return the position of a block, which is in the group of the last call of {@link #load}} */
    int start(int block) {
        return page.getInt(Integer.BYTES * (block - pageStart));
    }

    /**
     * Loads a block into a window, and as many of the blocks after it as can be read at once without reading much else.
     *
     * @param endBlock the end of the wanted blocks
     * @return the end of the loaded blocks
     */
    int load(int block, int endBlock, FrameWindow window) throws IOException {
        if (block >= usableEnd) {
            list(block, endBlock);
        }
        int last = Math.min(endBlock, usableEnd);
        long from = start(block);
        long to = end(block);
        long wanted = to - from;
        long groupFrom = from;
        long groupTo = to;
        int groupEnd = block + 1;
        for (int next = block + 1; next < last && next - groupEnd < NEIGHBOURS; next++) {
            from = Math.min(from, start(next));
            to = Math.max(to, end(next));
            wanted += end(next) - start(next);
            if (to - from > window.capacity()) {
                break;
            }
            if (wanted >= (to - from) * LEAST_SHARE) {
                groupFrom = from;
                groupTo = to;
                groupEnd = next + 1;
            }
        }
        window.load(groupFrom, groupTo);
        return groupEnd;
    }

    private void list(int block, int endBlock) throws IOException {
        pageStart = Math.max(0, block - NEIGHBOURS);
        long wanted = Math.min((long) endBlock + NEIGHBOURS, pageStart + BUFFER / Integer.BYTES);
        pageEnd = (int) Math.min(frame.blocks(), wanted);
        usableEnd = pageEnd == frame.blocks() ? pageEnd : pageEnd - NEIGHBOURS;
        page.clear().limit(Integer.BYTES * (pageEnd - pageStart));
        source.read(frame.startAt(pageStart), page);
    }

    /** {@return the position after a block: that of the next one, or the last possible one} */
    private long end(int block) {
        int size = frame.size(block);
        long start = start(block);
        long end = Math.min(frame.frameSize(), start + size + (long) Integer.BYTES * frame.streams(size));
        boolean ordered = block + 1 < pageEnd && start(block + 1) > start;
        int first = ordered ? block + 1 : Math.max(pageStart, block - NEIGHBOURS);
        int last = ordered ? block + 2 : Math.min(pageEnd, block + NEIGHBOURS);
        for (int other = first; other < last; other++) {
            if (start(other) > start) {
                end = Math.min(end, start(other));
            }
        }
        return end;
    }
}
