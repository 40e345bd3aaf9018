package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads B-trees of version 2: links and attributes by name, and chunk indexes.
 *
 * <p>Nodes have records of one size. In inner nodes, a pointer to each child follows the records: its address, the
 * number of its records and, unless the child is a leaf, the number of all records below it. The size of these numbers
 * depends on how many records a node can have.
 */
final class BTree2 {
    private static final int HEADER = 38;
    private static final int NODE_OVERHEAD = 10;
    private static final int PREFIX = 6;
    private static final int MOST_DEPTH = 16;

    private final FileMetadata file;
    private final Visitor visitor;
    private final Set<Long> seen = new HashSet<>();
    private final int type;
    private final int nodeSize;
    private final int recordSize;
    private final int countBytes;
    private final int[] totalBytes;

    /** Receives the records. */
    interface Visitor {
        /** Receives one record, little-endian, from its start. */
        void record(ByteBuffer record) throws IOException;
    }

    private BTree2(FileMetadata file, ByteBuffer header, Visitor visitor) throws StoreException {
        this.file = file;
        this.visitor = visitor;
        int version = header.get();
        this.type = header.get();
        this.nodeSize = header.getInt();
        this.recordSize = header.getShort() & 0xFFFF;
        int depth = header.getShort() & 0xFFFF;
        if (version != 0 || recordSize == 0 || nodeSize < NODE_OVERHEAD + recordSize || depth > MOST_DEPTH) {
            throw new StoreException("a B-tree of version " + version + " with nodes of " + nodeSize
                    + " bytes, records of " + recordSize + " bytes and depth " + depth + " is not supported");
        }
        long space = (long) nodeSize - NODE_OVERHEAD;
        long leafRecords = space / recordSize;
        this.countBytes = bytes(leafRecords);
        this.totalBytes = new int[depth + 1];
        long total = leafRecords;
        for (int level = 1; level <= depth; level++) {
            long pointer = (long) FileMetadata.WORD + countBytes + totalBytes[level - 1];
            long records = (space - pointer) / (recordSize + pointer);
            total = (records + 1) * total + records;
            totalBytes[level] = bytes(total);
        }
    }

    private static int bytes(long most) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, most))) / 8 + 1;
    }

    /**
     * Visits all records, in no particular order.
     *
     * @param type the type of the records, as numbered by the format
     * @param recordSize the size of a record in bytes, or 0 if any size is accepted
     */
    static void walk(FileMetadata file, long address, int type, int recordSize, Visitor visitor) throws IOException {
        ByteBuffer header = file.readChecked(address, HEADER, "BTHD");
        BTree2 tree = new BTree2(file, header, visitor);
        if (tree.type != type || (recordSize > 0 && tree.recordSize != recordSize)) {
            throw new StoreException("the B-tree at address " + address + " has type " + tree.type + " and records of "
                    + tree.recordSize + " bytes; type " + type + " was expected");
        }
        header.position(header.position() + 2);
        long root = header.getLong();
        int count = header.getShort() & 0xFFFF;
        if (root != FileMetadata.UNDEFINED) {
            tree.visit(root, tree.totalBytes.length - 1, count);
        }
    }

    private void visit(long address, int depth, int count) throws IOException {
        int pointer = depth == 0 ? 0 : FileMetadata.WORD + countBytes + (depth > 1 ? totalBytes[depth - 1] : 0);
        long used = PREFIX + (long) count * recordSize + (long) pointer * (count + 1) + FileMetadata.CHECKSUM;
        if (used > nodeSize || !seen.add(address)) {
            throw new StoreException(
                    "the B-tree node at address " + address + " has " + count + " records, or is a child of two nodes");
        }
        ByteBuffer node = file.readChecked(address, used, depth == 0 ? "BTLF" : "BTIN");
        if (node.get() != 0 || node.get() != type) {
            throw new StoreException("the B-tree node at address " + address + " is not of type " + type);
        }
        for (int i = 0; i < count; i++) {
            visitor.record(node.slice(PREFIX + i * recordSize, recordSize).order(node.order()));
        }
        node.position(PREFIX + count * recordSize);
        for (int i = 0; depth > 0 && i <= count; i++) {
            long child = node.getLong();
            int records = Math.toIntExact(ObjectHeader.number(node, countBytes));
            node.position(node.position() + pointer - FileMetadata.WORD - countBytes);
            visit(child, depth - 1, records);
        }
    }
}
