package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads B-trees of version 1: links of groups in old files (type 0), and chunk indexes (type 1).
 *
 * <p>A node has {@code TREE}, type, level, number of children (2 bytes), the addresses of its siblings, then
 * alternating keys and addresses of children, and a last key.
 */
final class BTree1 {
    private static final int HEADER = 24;

    private final FileMetadata file;
    private final int type;
    private final int keySize;
    private final Leaf leaf;
    private final Set<Long> seen = new HashSet<>();

    /** Receives the entries of leaf nodes. */
    interface Leaf {
        /** Receives a child and the key before it, which is little-endian. */
        void child(ByteBuffer key, long address) throws IOException;
    }

    private BTree1(FileMetadata file, int type, int keySize, Leaf leaf) {
        this.file = file;
        this.type = type;
        this.keySize = keySize;
        this.leaf = leaf;
    }

    /** Visits all entries of leaf nodes, in the order of their keys. */
    static void walk(FileMetadata file, long address, int type, int keySize, Leaf leaf) throws IOException {
        new BTree1(file, type, keySize, leaf).visit(address, -1);
    }

    private void visit(long address, int expectedLevel) throws IOException {
        ByteBuffer header = file.readSigned(address, HEADER, "TREE");
        int found = header.get();
        int level = header.get() & 0xFF;
        int count = header.getShort() & 0xFFFF;
        if (found != type || (expectedLevel >= 0 && level != expectedLevel) || !seen.add(address)) {
            throw new StoreException("the B-tree node at address " + address + " has type " + found + " and level "
                    + level + ", or is a child of two nodes; a node of type " + type + " was expected");
        }
        int entry = keySize + FileMetadata.WORD;
        ByteBuffer entries = file.read(address + HEADER, (long) count * entry);
        for (int i = 0; i < count; i++) {
            long child = entries.getLong(i * entry + keySize);
            if (level > 0) {
                visit(child, level - 1);
            } else {
                leaf.child(entries.slice(i * entry, keySize).order(entries.order()), child);
            }
        }
    }
}
