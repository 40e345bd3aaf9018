package dev.rechunker.io.file;

import dev.rechunker.io.bytes.BoxReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads small pieces of a remote file, many of which are close together. It reads blocks, and caches those that were
 * used last.
 */
public final class BlockCache implements BoxReader.Source {
    private static final int BLOCK = 1 << 16;

    /**
     * The number of blocks in the cache. It is enough for groups of thousands of datasets, whose metadata is spread
     * over the file.
     */
    private static final int MOST_BLOCKS = 32;

    private final FileBytes file;
    private final Map<Long, ByteBuffer> blocks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ByteBuffer> eldest) {
            return size() > MOST_BLOCKS;
        }
    };

    /** Creates an empty cache of blocks of a file. */
    public BlockCache(FileBytes file) {
        this.file = file;
    }

    /** {@return the size of the cache for a file of {@code size} bytes, at most} */
    public static long heldBytes(long size) {
        return Math.min((long) MOST_BLOCKS * BLOCK, size);
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (target.remaining() > BLOCK || offset < 0 || target.remaining() > file.size() - offset) {
            file.read(offset, target);
            return;
        }
        long at = offset;
        while (target.hasRemaining()) {
            ByteBuffer block = block(at / BLOCK);
            int from = (int) (at % BLOCK);
            int count = Math.min(target.remaining(), block.limit() - from);
            target.put(block.slice(from, count));
            at += count;
        }
    }

    private synchronized ByteBuffer block(long number) throws IOException {
        ByteBuffer block = blocks.get(number);
        if (block == null) {
            long start = number * BLOCK;
            block = ByteBuffer.allocate((int) Math.min(BLOCK, file.size() - start));
            file.read(start, block);
            block.flip();
            blocks.put(number, block);
        }
        return block;
    }
}
