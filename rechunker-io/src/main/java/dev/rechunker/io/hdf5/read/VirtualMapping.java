package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import io.jhdf.GlobalHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a virtual dataset whose elements are those of another dataset.
 *
 * @param file the name of the file of the other dataset; {@code .} for the same file
 * @param dataset the path of the other dataset
 * @param source the elements of the other dataset
 * @param target their places, in the same order
 */
record VirtualMapping(String file, String dataset, Selection source, Selection target) {
    /** The name of the file of the virtual dataset. */
    static final String SAME_FILE = ".";

    private static final int LEAST_BYTES = 2 + 2 * 16;

    // Flags of version 1. Instead of a name, there can be the number of an earlier mapping that has it.
    private static final int SHARED_FILE = 1;
    private static final int SHARED_DATASET = 2;
    private static final int IN_SAME_FILE = 4;
    private static final int MOST = 1 << 17;

    /**
     * {@return the mappings in a global heap}
     *
     * @param address the address of the collection
     * @param number the number of the object in the collection
     */
    static List<VirtualMapping> read(FileMetadata file, long address, int number) throws IOException {
        if (address == FileMetadata.UNDEFINED) {
            return List.of();
        }
        ByteBuffer all = new GlobalHeap(file, address).getObjectData(number).slice();
        FileMetadata.requireChecksum(all, "list of mappings", address);
        ByteBuffer bytes = all.slice(0, all.limit() - FileMetadata.CHECKSUM).order(ByteOrder.LITTLE_ENDIAN);
        int version = bytes.get();
        if (version != 0 && version != 1) {
            throw new StoreException("a virtual dataset of version " + version + " is not supported");
        }
        long count = bytes.getLong();
        if (count < 0 || count > bytes.remaining() / LEAST_BYTES) {
            throw new StoreException("a virtual dataset of " + count + " mappings ends early");
        }
        if (count > MOST) {
            throw new StoreException(
                    "a virtual dataset of " + count + " mappings is not supported; at most " + MOST + " are");
        }
        List<VirtualMapping> mappings = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            int flags = version == 0 ? 0 : bytes.get();
            if ((flags & ~(SHARED_FILE | SHARED_DATASET | IN_SAME_FILE)) != 0) {
                throw new StoreException("a virtual dataset has a mapping with flags " + flags + ", not supported");
            }
            String name = (flags & IN_SAME_FILE) != 0
                    ? SAME_FILE
                    : (flags & SHARED_FILE) != 0 ? earlier(bytes, mappings).file : text(bytes);
            String dataset = (flags & SHARED_DATASET) != 0 ? earlier(bytes, mappings).dataset : text(bytes);
            mappings.add(new VirtualMapping(name, dataset, Selection.read(bytes), Selection.read(bytes)));
        }
        return mappings;
    }

    private static VirtualMapping earlier(ByteBuffer bytes, List<VirtualMapping> mappings) throws StoreException {
        long number = bytes.getLong();
        if (number < 0 || number >= mappings.size()) {
            throw new StoreException("mapping " + mappings.size() + " of a virtual dataset has the name of mapping "
                    + Long.toUnsignedString(number) + ", which does not precede it");
        }
        return mappings.get((int) number);
    }

    private static String text(ByteBuffer bytes) {
        int start = bytes.position();
        int end = start;
        while (bytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - start];
        bytes.get(text).get();
        return StoredText.of(text);
    }

    /** {@return whether a name has a place for the number of a block} */
    boolean isNumbered() {
        return !named(file, 0).equals(named(file, 1)) || !named(dataset, 0).equals(named(dataset, 1));
    }

    /** {@return a name with the number of a block in place of each {@code %b}, and % in place of each {@code %%}} */
    static String named(String pattern, long block) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            String next = pattern.substring(i, Math.min(pattern.length(), i + 2));
            if (next.equals("%b")) {
                name.append(block);
                i++;
            } else {
                name.append(pattern.charAt(i));
                i += next.equals("%%") ? 1 : 0;
            }
        }
        return name.toString();
    }
}
