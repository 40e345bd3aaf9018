package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The header of an object: its messages. They are parsed when they are used, so that a message that is not supported
 * does not affect the others.
 *
 * @param address the address of the header
 * @param messages all messages in the order of the file, including those of continuation blocks
 */
record ObjectHeader(long address, List<Message> messages) {
    static final int DATASPACE = 1;
    static final int LINK_INFO = 2;
    static final int DATATYPE = 3;
    static final int OLD_FILL = 4;
    static final int FILL = 5;
    static final int LINK = 6;
    static final int EXTERNAL = 7;
    static final int LAYOUT = 8;
    static final int GROUP_INFO = 10;
    static final int FILTERS = 11;
    static final int ATTRIBUTE = 12;
    static final int CONTINUATION = 16;
    static final int SYMBOL_TABLE = 17;
    static final int DRIVER_INFO = 20;
    static final int ATTRIBUTE_INFO = 21;
    static final int REFERENCES = 22;
    static final int CACHE_IMAGE = 24;

    private static final int LAST_KNOWN = 24;
    private static final int SHARED = 2;
    private static final int MUST_UNDERSTAND = 128;
    private static final int V1_PREFIX = 16;
    /**
     * The largest size of all blocks of a header. Valid blocks do not overlap, and large groups and attributes are
     * stored in heaps.
     */
    private static final long MOST_BYTES = 1 << 26;

    private static final int MOST_MESSAGES = 1 << 18;

    /**
     * One message.
     *
     * @param order the place of an attribute in the order in which they were created; 0 if the file does not have it
     * @param address the address of the body
     */
    record Message(int type, int flags, int order, long address, ByteBuffer body) {
        /** {@return a view of the body, little-endian, from its start} */
        @Override
        public ByteBuffer body() {
            return body.slice().order(ByteOrder.LITTLE_ENDIAN);
        }

        boolean isShared() {
            return (flags & SHARED) != 0;
        }
    }

    private record Block(long address, long length) {}

    static ObjectHeader read(FileMetadata file, long address) throws IOException {
        List<Message> messages = new ArrayList<>();
        Deque<Block> continuations = new ArrayDeque<>();
        Set<Long> seen = new HashSet<>();
        boolean old = file.read(address, 1).get() == 1;
        int creationOrder = old ? readV1(file, address, messages) : readV2(file, address, messages);
        long bytesLeft = MOST_BYTES;
        int looked = 0;
        while (true) {
            for (; looked < messages.size(); looked++) {
                Message message = messages.get(looked);
                if (message.type == CONTINUATION) {
                    ByteBuffer body = message.body();
                    continuations.add(new Block(body.getLong(), body.getLong()));
                } else if (message.type > LAST_KNOWN && (message.flags & MUST_UNDERSTAND) != 0) {
                    throw new StoreException("header messages of type " + message.type + " are not supported");
                }
            }
            Block block = continuations.poll();
            if (block == null) {
                return new ObjectHeader(address, messages);
            }
            bytesLeft -= Math.max(0, block.length);
            if (!seen.add(block.address) || bytesLeft < 0 || messages.size() > MOST_MESSAGES) {
                throw new StoreException(
                        "the object header at address " + address + " is cyclic, or larger than 64 MiB");
            }
            if (old) {
                splitV1(file.read(block.address, block.length), block.address, Integer.MAX_VALUE, messages);
            } else {
                ByteBuffer bytes = file.readChecked(block.address, block.length, "OCHK");
                splitV2(bytes, block.address, creationOrder, messages);
            }
        }
    }

    private static int readV1(FileMetadata file, long address, List<Message> messages) throws IOException {
        ByteBuffer prefix = file.read(address, V1_PREFIX);
        int count = prefix.getShort(2) & 0xFFFF;
        long size = prefix.getInt(8) & 0xFFFFFFFFL;
        splitV1(file.read(address + V1_PREFIX, size), address + V1_PREFIX, count, messages);
        return 0;
    }

    private static void splitV1(ByteBuffer bytes, long address, int most, List<Message> messages) {
        while (bytes.remaining() >= 8 && messages.size() < most) {
            int type = bytes.getShort() & 0xFFFF;
            int size = bytes.getShort() & 0xFFFF;
            int flags = bytes.getInt() & 0xFF;
            add(type, flags, 0, bytes, size, address, messages);
        }
    }

    /** Reads a header of version 2; {@return the size of the creation order in each message, in bytes} */
    private static int readV2(FileMetadata file, long address, List<Message> messages) throws IOException {
        ByteBuffer start = file.readSigned(address, 6, "OHDR");
        int version = start.get();
        int flags = start.get();
        if (version != 2) {
            throw new StoreException("object headers of version " + version + " are not supported");
        }
        int optional = ((flags & 32) != 0 ? 16 : 0) + ((flags & 16) != 0 ? 4 : 0);
        int sizeBytes = 1 << (flags & 3);
        int prefix = 6 + optional + sizeBytes;
        long size = number(file.read(address + prefix - sizeBytes, sizeBytes), sizeBytes);
        if (size < 0) {
            throw new StoreException("the object header at address " + address + " has " + size + " bytes");
        }
        ByteBuffer bytes = file.readChecked(address, Math.addExact(prefix + FileMetadata.CHECKSUM, size), "OHDR");
        int creationOrder = (flags & 4) != 0 ? 2 : 0;
        splitV2(bytes.position(prefix), address, creationOrder, messages);
        return creationOrder;
    }

    /**
     * Splits the bytes between the position and the checksum into messages. A rest that is too small for a message is
     * ignored.
     */
    private static void splitV2(ByteBuffer bytes, long address, int creationOrder, List<Message> messages) {
        int end = bytes.limit() - FileMetadata.CHECKSUM;
        while (end - bytes.position() >= 4 + creationOrder) {
            int type = bytes.get() & 0xFF;
            int size = bytes.getShort() & 0xFFFF;
            int flags = bytes.get() & 0xFF;
            int order = creationOrder == 0 ? 0 : bytes.getShort() & 0xFFFF;
            add(type, flags, order, bytes, size, address, messages);
        }
    }

    private static void add(
            int type, int flags, int order, ByteBuffer bytes, int size, long address, List<Message> messages) {
        int at = bytes.position();
        messages.add(new Message(type, flags, order, address + at, bytes.slice(at, size)));
        bytes.position(at + size);
    }

    /** {@return the next {@code count} bytes as a little-endian number} */
    static long number(ByteBuffer bytes, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= (bytes.get() & 0xFFL) << (8 * i);
        }
        return value;
    }

    /** {@return how many links and other objects refer to this one} */
    static long references(FileMetadata file, ObjectHeader header) throws IOException {
        if (file.read(header.address, 1).get() == 1) {
            return file.read(header.address, V1_PREFIX).getInt(4) & 0xFFFFFFFFL;
        }
        Optional<Message> count = header.find(REFERENCES);
        return count.isEmpty() ? 1 : count.get().body().getInt(1) & 0xFFFFFFFFL;
    }

    boolean has(int type) {
        return messages.stream().anyMatch(message -> message.type == type);
    }

    /** {@return the message of a type; empty if there is none} */
    Optional<Message> find(int type) throws StoreException {
        List<Message> found = all(type);
        if (found.size() > 1) {
            throw new StoreException(
                    "its header has " + found.size() + " messages of type " + type + " instead of one");
        }
        return found.stream().findFirst();
    }

    Message require(int type, String what) throws StoreException {
        return find(type).orElseThrow(() -> new StoreException("its header has no " + what + " message"));
    }

    List<Message> all(int type) {
        return messages.stream().filter(message -> message.type == type).toList();
    }
}
