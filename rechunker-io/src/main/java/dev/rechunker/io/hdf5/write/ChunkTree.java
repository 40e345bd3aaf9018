package dev.rechunker.io.hdf5.write;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes and reads the index of a chunked dataset: a B-tree of version 1 and type 1. It is written at once, from the
 * leaves to the root.
 *
 * <p>A key has the size of a chunk, its filter mask and its origin in elements. A node has up to 64 children: twice the
 * value of {@code K} in files without a superblock extension.
 */
final class ChunkTree {
    private static final int MAX_CHILDREN = 64;
    private static final int HEAD = 24;
    private static final int SIGNATURE = ByteBuffer.wrap("TREE".getBytes(StandardCharsets.US_ASCII))
            .order(ByteOrder.LITTLE_ENDIAN)
            .getInt();

    private final PartFile file;
    private final ChunkGrid grid;
    private final ChunkTable table;
    private final int nodeBytes;

    ChunkTree(PartFile file, ChunkGrid grid, ChunkTable table) {
        this.file = file;
        this.grid = grid;
        this.table = table;
        int key = 8 + 8 * (grid.rank() + 1);
        this.nodeBytes = HEAD + MAX_CHILDREN * (key + 8) + key;
    }

    /**
     * {@return the memory for writing or loading the tree of {@code chunks} chunks, in addition to the table, at most,
     * in bytes}
     */
    static long heldBytes(long chunks) {
        long leaves = chunks / MAX_CHILDREN + 1;
        return Transfers.PIECE + 2 * Integer.BYTES * leaves;
    }

    /** The children of the nodes of one level, in order. */
    private interface Level {
        /** {@return the entry after another} */
        int after(int entry);

        /** {@return the first chunk that an entry covers} */
        int chunk(int entry);

        long address(int entry);
    }

    private final class Chunks implements Level {
        @Override
        public int after(int entry) {
            return table.next(entry + 1);
        }

        @Override
        public int chunk(int entry) {
            return entry;
        }

        @Override
        public long address(int entry) {
            return table.address(entry);
        }
    }

    private final class Nodes implements Level {
        private final long base;
        private final int[] firstChunks;

        Nodes(long base, int[] firstChunks) {
            this.base = base;
            this.firstChunks = firstChunks;
        }

        @Override
        public int after(int entry) {
            return entry + 1;
        }

        @Override
        public int chunk(int entry) {
            return firstChunks[entry];
        }

        @Override
        public long address(int entry) {
            return base + (long) entry * nodeBytes;
        }
    }

    /** Writes the tree; {@return the address of the root, which is undefined if no chunk was written} */
    long write() throws IOException {
        int entries = table.written();
        if (entries == 0) {
            return MessageBytes.UNDEFINED;
        }
        Level level = new Chunks();
        int first = table.next(0);
        for (int height = 0; ; height++) {
            int nodes = (entries + MAX_CHILDREN - 1) / MAX_CHILDREN;
            long base = file.allocate((long) nodes * nodeBytes);
            int[] firstChunks = write(level, height, first, entries, nodes, base);
            if (nodes == 1) {
                return base;
            }
            level = new Nodes(base, firstChunks);
            first = 0;
            entries = nodes;
        }
    }

    /** Writes the nodes of one level; {@return the first chunk of each} */
    private int[] write(Level level, int height, int first, int entries, int nodes, long base) throws IOException {
        int[] firstChunks = new int[nodes];
        ByteBuffer buffer =
                ByteBuffer.allocate(Transfers.PIECE / nodeBytes * nodeBytes).order(ByteOrder.LITTLE_ENDIAN);
        long address = base;
        int entry = first;
        for (int node = 0; node < nodes; node++) {
            int start = buffer.position();
            int count = (int) ((long) entries * (node + 1) / nodes - (long) entries * node / nodes);
            firstChunks[node] = level.chunk(entry);
            long self = base + (long) node * nodeBytes;
            buffer.putInt(SIGNATURE).put((byte) 1).put((byte) height).putShort((short) count);
            buffer.putLong(node == 0 ? MessageBytes.UNDEFINED : self - nodeBytes);
            buffer.putLong(node == nodes - 1 ? MessageBytes.UNDEFINED : self + nodeBytes);
            for (int child = 0; child < count; child++) {
                putKey(buffer, level.chunk(entry));
                buffer.putLong(level.address(entry));
                entry = level.after(entry);
            }
            if (node == nodes - 1) {
                putEndKey(buffer);
            } else {
                putKey(buffer, level.chunk(entry));
            }
            while (buffer.position() < start + nodeBytes) {
                buffer.put((byte) 0);
            }
            if (!buffer.hasRemaining() || node == nodes - 1) {
                file.write(address, buffer.flip());
                address += buffer.limit();
                buffer.clear();
            }
        }
        return firstChunks;
    }

    private void putKey(ByteBuffer buffer, int chunk) {
        buffer.putInt(table.size(chunk)).putInt(0);
        long[] index = grid.index(chunk);
        for (int axis = 0; axis < index.length; axis++) {
            buffer.putLong(grid.axis(axis).start(index[axis]));
        }
        buffer.putLong(0);
    }

    /** Puts the last key, which is after all chunks. */
    private void putEndKey(ByteBuffer buffer) {
        buffer.putLong(0);
        Shape counts = grid.counts();
        for (int axis = 0; axis < grid.rank(); axis++) {
            buffer.putLong(counts.extent(axis) * grid.axis(axis).step());
        }
        buffer.putLong(0);
    }

    /** Fills the table from the tree at an address, which was written by {@link #write()}. */
    void load(long root) throws IOException {
        ByteBuffer node = ByteBuffer.allocate(nodeBytes).order(ByteOrder.LITTLE_ENDIAN);
        long address = root;
        int key = 8 + 8 * (grid.rank() + 1);
        for (int height = read(node, address); height > 0; height = read(node, address)) {
            address = node.getLong(HEAD + key);
        }
        while (true) {
            int count = node.getShort(6);
            for (int child = 0; child < count; child++) {
                int at = HEAD + child * (key + 8);
                long[] index = new long[grid.rank()];
                for (int axis = 0; axis < index.length; axis++) {
                    index[axis] =
                            node.getLong(at + 8 + 8 * axis) / grid.axis(axis).step();
                }
                table.set(Math.toIntExact(grid.ordinal(index)), node.getLong(at + key), node.getInt(at));
            }
            long next = node.getLong(16);
            if (next == MessageBytes.UNDEFINED) {
                return;
            }
            read(node, next);
        }
    }

    private int read(ByteBuffer node, long address) throws IOException {
        file.read(address, node.clear());
        if (node.getInt(0) != SIGNATURE) {
            throw new StoreException("the chunk index at byte " + address + " was overwritten by another program");
        }
        return node.get(5);
    }
}
