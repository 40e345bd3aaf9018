package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * A B-tree of version 1: groups of old files (type 0) and indexes of chunks (type 1).
 *
 * <p>A node is: {@code TREE}, type, level, number of children (2), addresses of its neighbours, and then keys and
 * addresses of children in turn, with a key at the end.
 */
final class BTree1 {
    private static final int HEADER = 24;

    private final FileMetadata file;
    private final int type;
    private final int keySize;
    private final Leaf leaf;
    private final Set<Long> seen = new HashSet<>();

    /** Takes what the lowest nodes hold. */
    interface Leaf {
        /** Takes a child and the key before it, little-endian, from its start. */
        void child(ByteBuffer key, long address) throws IOException;
    }

    private BTree1(FileMetadata file, int type, int keySize, Leaf leaf) {
        this.file = file;
        this.type = type;
        this.keySize = keySize;
        this.leaf = leaf;
    }

    /** Visits all children of the lowest nodes, in the order of their keys. */
    static void walk(FileMetadata file, long address, int type, int keySize, Leaf leaf) throws IOException {
        new BTree1(file, type, keySize, leaf).node(address, -1);
    }

    private void node(long address, int expectedLevel) throws IOException {
        ByteBuffer header = file.readSigned(address, HEADER, "TREE");
        int found = header.get();
        int level = header.get() & 0xFF;
        int count = header.getShort() & 0xFFFF;
        if (found != type || (expectedLevel >= 0 && level != expectedLevel) || !seen.add(address)) {
            throw new StoreException("the B-tree node at address " + address + " is of type " + found + " and level "
                    + level + ", where it cannot stand");
        }
        int entry = keySize + FileMetadata.WORD;
        ByteBuffer entries = file.read(address + HEADER, (long) count * entry);
        for (int i = 0; i < count; i++) {
            long child = entries.getLong(i * entry + keySize);
            if (level > 0) {
                node(child, level - 1);
            } else {
                leaf.child(entries.slice(i * entry, keySize).order(entries.order()), child);
            }
        }
    }
}
