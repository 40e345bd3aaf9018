package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.codec.Lookup3;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Writes the attributes of an object outside of its header, where they can have any size: each is an object of its own
 * in the file, to which a fractal heap without blocks refers, and an index has them by name.
 *
 * <p>Both indexes are B-trees of one leaf. Source: the HDF5 File Format Specification, version 3.0, chapters III.A.2
 * and III.G.
 */
final class DenseAttributes {
    private static final int HUGE_OBJECTS = 1;
    private static final int NAMES = 8;
    private static final int HUGE_ID = 1 << 4;
    private static final int ID_BYTES = 8;
    private static final int MIN_NODE = 512;
    private static final int NODE_OVERHEAD = 10;

    /** Writes bytes outside of the header. */
    interface Place {
        /** A place that writes nothing, to measure headers. */
        Place NOWHERE = bytes -> 0;

        long put(byte[] bytes) throws IOException;
    }

    /**
     * An attribute.
     *
     * @param body the attribute message
     */
    record Attribute(String name, MessageBytes body) {
        /** {@return the hash by which the index has the name} */
        private int hash() {
            return Lookup3.of(ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private final Place place;

    private DenseAttributes(Place place) {
        this.place = place;
    }

    /**
     * Writes attributes.
     *
     * @param attributes at most 65,535, in the order in which they were created
     * @return the addresses of the heap and of the index of names, as the end of an attribute info message
     */
    static MessageBytes write(List<Attribute> attributes, Place place) throws IOException {
        DenseAttributes dense = new DenseAttributes(place);
        return new MessageBytes().u64(dense.heap(attributes)).u64(dense.names(attributes));
    }

    private long heap(List<Attribute> attributes) throws IOException {
        List<MessageBytes> objects = new ArrayList<>();
        long bytes = 0;
        for (Attribute attribute : attributes) {
            int size = attribute.body().size();
            long address = place.put(attribute.body().toArray());
            objects.add(new MessageBytes().u64(address).u64(size).u64(objects.size() + 1L));
            bytes += size;
        }
        long tree = tree(HUGE_OBJECTS, objects);
        int checksOfBlocks = 2;
        return place.put(new MessageBytes()
                .put("FRHP".getBytes(StandardCharsets.US_ASCII))
                .u8(0)
                .u16(ID_BYTES)
                .u16(0)
                .u8(checksOfBlocks)
                .u32(1 << 12) // the largest object in a block
                .u64(objects.size())
                .u64(tree)
                .u64(0)
                .u64(MessageBytes.UNDEFINED)
                .zeros(4 * Long.BYTES) // nothing is in blocks
                .u64(bytes)
                .u64(objects.size())
                .zeros(2 * Long.BYTES) // nothing is in IDs
                .u16(4)
                .u64(1 << 10)
                .u64(1 << 16)
                .u16(40)
                .u16(1)
                .u64(MessageBytes.UNDEFINED)
                .u16(0)
                .checksum()
                .toArray());
    }

    /** Writes the index of names, in the order of their hashes. */
    private long names(List<Attribute> attributes) throws IOException {
        Integer[] order = new Integer[attributes.size()];
        Arrays.setAll(order, i -> i);
        Comparator<Integer> byHash = (a, b) -> Integer.compareUnsigned(
                attributes.get(a).hash(), attributes.get(b).hash());
        Comparator<Integer> byName = (a, b) -> Arrays.compareUnsigned(
                attributes.get(a).name().getBytes(StandardCharsets.UTF_8),
                attributes.get(b).name().getBytes(StandardCharsets.UTF_8));
        Arrays.sort(order, byHash.thenComparing(byName));
        List<MessageBytes> records = new ArrayList<>();
        for (int number : order) {
            records.add(new MessageBytes()
                    .u64(((number + 1L) << 8) | HUGE_ID)
                    .u8(0)
                    .u32(number)
                    .u32(attributes.get(number).hash()));
        }
        return tree(NAMES, records);
    }

    /** Writes a B-tree of version 2 that has all records in one leaf. */
    private long tree(int type, List<MessageBytes> records) throws IOException {
        int size = records.get(0).size();
        int nodeBytes = Math.max(MIN_NODE, NODE_OVERHEAD + size * records.size());
        MessageBytes leaf = new MessageBytes()
                .put("BTLF".getBytes(StandardCharsets.US_ASCII))
                .u8(0)
                .u8(type);
        records.forEach(leaf::put);
        leaf.checksum();
        long root = place.put(Arrays.copyOf(leaf.toArray(), nodeBytes));
        return place.put(new MessageBytes()
                .put("BTHD".getBytes(StandardCharsets.US_ASCII))
                .u8(0)
                .u8(type)
                .u32(nodeBytes)
                .u16(size)
                .u16(0)
                .u8(100)
                .u8(40)
                .u64(root)
                .u16(records.size())
                .u64(records.size())
                .checksum()
                .toArray());
    }
}
