package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import io.jhdf.LocalHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The links of a group, which are read without their targets.
 *
 * @param byName links whose names can be used in a path
 * @param unnamed descriptions of the other links, for messages
 */
record Links(Map<String, Link> byName, List<String> unnamed) {
    private static final int NAME_INDEX = 5;
    private static final int ENTRY = 40;
    private static final int SOFT_CACHE = 2;

    /** The target of a link. */
    sealed interface Link {
        /** {@return the place of the link in the order in which links were created; 0 if the file does not have it} */
        long created();
    }

    /**
     * A link to an object in the file.
     *
     * @param address the address of the object header
     */
    record Hard(long address, long created) implements Link {}

    /** A path, absolute or relative to the group of the link. */
    record Soft(String path, long created) implements Link {}

    /** An object in another file, or a target that only an application knows. */
    record Foreign(String what, long created) implements Link {}

    static Links read(FileMetadata file, ObjectHeader group) throws IOException {
        Links links = new Links(new TreeMap<>(), new ArrayList<>());
        if (group.has(ObjectHeader.SYMBOL_TABLE)) {
            links.addOld(file, group.require(ObjectHeader.SYMBOL_TABLE, "symbol table"));
            return links;
        }
        for (ObjectHeader.Message message : group.all(ObjectHeader.LINK)) {
            links.add(message.body());
        }
        if (group.has(ObjectHeader.LINK_INFO)) {
            links.addDense(
                    file, group.require(ObjectHeader.LINK_INFO, "link info").body());
        }
        return links;
    }

    private void put(String name, Link link) throws StoreException {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            unnamed.add("the link \"" + name + "\", whose name cannot be used in a path");
        } else if (byName.put(name, link) != null) {
            throw new StoreException("there are two links \"" + name + "\"");
        }
    }

    private void addDense(FileMetadata file, ByteBuffer info) throws IOException {
        int version = info.get();
        int flags = info.get();
        if (version != 0) {
            throw new StoreException("link info of version " + version + " is not supported");
        }
        info.position(info.position() + ((flags & 1) != 0 ? FileMetadata.WORD : 0));
        long heapAddress = info.getLong();
        long names = info.getLong();
        if (heapAddress == FileMetadata.UNDEFINED || names == FileMetadata.UNDEFINED) {
            return;
        }
        FractalHeap heap = FractalHeap.read(file, heapAddress);
        int record = Integer.BYTES + heap.idLength();
        BTree2.walk(file, names, NAME_INDEX, record, bytes -> add(heap.get(bytes.position(Integer.BYTES))));
    }

    /** Adds the link of a link message. */
    private void add(ByteBuffer message) throws StoreException {
        int version = message.get();
        int flags = message.get();
        if (version != 1) {
            throw new StoreException("links of version " + version + " are not supported");
        }
        int type = (flags & 8) != 0 ? message.get() & 0xFF : 0;
        long created = (flags & 4) != 0 ? message.getLong() : 0;
        message.position(message.position() + ((flags & 16) != 0 ? 1 : 0));
        String name = text(message, ObjectHeader.number(message, 1 << (flags & 3)));
        switch (type) {
            case 0 -> put(name, new Hard(message.getLong(), created));
            case 1 -> put(name, new Soft(text(message, message.getShort() & 0xFFFF), created));
            case 64 -> {
                String[] parts = text(message, message.getShort() & 0xFFFF).split("\0", -1);
                String where = parts.length < 3 ? "another file" : parts[1] + "#" + parts[2];
                put(name, new Foreign("an external link, to " + where, created));
            }
            default -> put(name, new Foreign("a link of unknown type " + type, created));
        }
    }

    private static String text(ByteBuffer bytes, long length) {
        byte[] text = new byte[Math.toIntExact(Math.min(length, bytes.remaining() + 1L))];
        bytes.get(text);
        return StoredText.of(text);
    }

    private void addOld(FileMetadata file, ObjectHeader.Message table) throws IOException {
        ByteBuffer addresses = table.body();
        long tree = addresses.getLong();
        ByteBuffer names = new LocalHeap(file, addresses.getLong()).getDataBuffer();
        BTree1.walk(file, tree, 0, FileMetadata.WORD, (key, node) -> {
            ByteBuffer header = file.readSigned(node, 8, "SNOD");
            int count = header.getShort(6) & 0xFFFF;
            ByteBuffer entries = file.read(node + 8, (long) count * ENTRY);
            for (int i = 0; i < count; i++) {
                ByteBuffer entry = entries.slice(i * ENTRY, ENTRY).order(entries.order());
                String name = terminated(names, entry.getLong(0));
                boolean soft = entry.getInt(16) == SOFT_CACHE;
                put(name, soft ? new Soft(terminated(names, entry.getInt(24)), 0) : new Hard(entry.getLong(8), 0));
            }
        });
    }

    /** {@return the text at an offset of a heap, up to the first zero} */
    static String terminated(ByteBuffer heap, long offset) {
        int start = Math.toIntExact(offset);
        int end = start;
        while (heap.get(end) != 0) {
            end++;
        }
        return text(heap.duplicate().position(start), end - start);
    }
}
