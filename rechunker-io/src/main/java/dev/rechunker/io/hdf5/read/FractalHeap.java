package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import io.jhdf.checksum.ChecksumUtils;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The heap in which groups of many links, and objects of many or large attributes, keep them.
 *
 * <p>Small objects have an offset in a linear space that is laid over rows of blocks: the blocks of the first two rows
 * are of one size, and those of each further row twice as large as before. Blocks up to a size hold objects, larger
 * ones are such tables themselves.
 */
final class FractalHeap {
    private static final int HEADER = 146;
    private static final int FILTERS = 7;
    private static final int BLOCK_PREFIX = 13;
    private static final int HUGE_RECORD = 24;
    private static final int MOST_DEPTH = 16;
    private static final long MOST_HELD = 1 << 26;

    private final FileMetadata file;
    private final long address;
    private final int idLength;
    private final boolean checked;
    private final long hugeTree;
    private final int width;
    private final long startSize;
    private final long largestDirect;
    private final int offsetBytes;
    private final int lengthBytes;
    private final long rootBlock;
    private final int rootRows;
    private final Map<Long, ByteBuffer> blocks = new HashMap<>();
    private long heldBytes;
    private @Nullable Map<Long, Huge> hugeObjects;

    /** Where a large object is. */
    private record Huge(long address, long length) {}

    private FractalHeap(FileMetadata file, long address, ByteBuffer header) throws StoreException {
        this.file = file;
        this.address = address;
        int version = header.get();
        idLength = header.getShort() & 0xFFFF;
        header.position(FILTERS + Short.BYTES);
        checked = (header.get() & 2) != 0;
        long largestManaged = header.getInt() & 0xFFFFFFFFL;
        header.position(header.position() + FileMetadata.WORD);
        hugeTree = header.getLong();
        header.position(header.position() + 10 * FileMetadata.WORD);
        width = header.getShort() & 0xFFFF;
        startSize = header.getLong();
        largestDirect = header.getLong();
        int bits = header.getShort() & 0xFFFF;
        header.position(header.position() + 2);
        rootBlock = header.getLong();
        rootRows = header.getShort() & 0xFFFF;
        boolean sizes = width > 0
                && Long.bitCount(startSize) == 1
                && startSize > 0
                && largestDirect >= startSize
                && largestDirect <= 1 << 26;
        if (version != 0 || !sizes || bits > Long.SIZE || idLength == 0) {
            throw new StoreException("the heap at address " + address + " is of an unknown kind");
        }
        offsetBytes = (bits + 7) / 8;
        lengthBytes = Math.min(bytes(largestDirect), bytes(largestManaged));
    }

    static FractalHeap read(FileMetadata file, long address) throws IOException {
        ByteBuffer header = file.readSigned(address, HEADER, "FRHP");
        if (header.getShort(FILTERS) != 0) { // they stand before the checksum, which is somewhere else then
            throw new StoreException("the heap at address " + address + " is compressed, which is not supported");
        }
        FileMetadata.checkSum(header.duplicate().rewind(), "FRHP", address);
        return new FractalHeap(file, address, header);
    }

    private static int bytes(long most) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, most))) / 8 + 1;
    }

    int idLength() {
        return idLength;
    }

    /** {@return the bytes of an object, little-endian} */
    ByteBuffer get(ByteBuffer id) throws IOException {
        ByteBuffer key = id.slice().order(ByteOrder.LITTLE_ENDIAN);
        int flags = key.get() & 0xFF;
        switch (flags >> 4) {
            case 0 -> {
                long offset = ObjectHeader.number(key, offsetBytes);
                long length = ObjectHeader.number(key, lengthBytes);
                return managed(offset, length);
            }
            case 1 -> {
                return huge(key);
            }
            case 2 -> {
                boolean extended = idLength - 1 > 16;
                int length = (extended ? ((flags & 15) << 8) | (key.get() & 0xFF) : flags & 15) + 1;
                return key.slice(key.position(), length).order(ByteOrder.LITTLE_ENDIAN);
            }
            default -> throw new StoreException("objects of kind " + flags + " in a heap are not supported");
        }
    }

    private ByteBuffer huge(ByteBuffer key) throws IOException {
        if (idLength - 1 >= 2 * FileMetadata.WORD) {
            return file.read(key.getLong(), key.getLong());
        }
        long wanted = ObjectHeader.number(key, Math.min(FileMetadata.WORD, idLength - 1));
        Map<Long, Huge> known = hugeObjects;
        if (known == null) {
            Map<Long, Huge> found = new HashMap<>();
            BTree2.walk(
                    file,
                    hugeTree,
                    1,
                    HUGE_RECORD,
                    record -> found.put(
                            record.getLong(2 * FileMetadata.WORD),
                            new Huge(record.getLong(0), record.getLong(FileMetadata.WORD))));
            known = found;
            hugeObjects = found;
        }
        Huge object = known.get(wanted);
        if (object == null) {
            throw new StoreException("there is no object " + wanted + " in the heap at address " + address);
        }
        return file.read(object.address, object.length);
    }

    private void hold(long block, ByteBuffer bytes) {
        heldBytes += bytes.capacity();
        if (heldBytes > MOST_HELD) {
            blocks.clear();
            heldBytes = bytes.capacity();
        }
        blocks.put(block, bytes);
    }

    private ByteBuffer managed(long offset, long length) throws IOException {
        long block = rootBlock;
        long left = offset;
        long size = startSize;
        int rows = rootRows;
        for (int depth = 0; rows > 0; depth++) {
            long rowStart = 0;
            int row = 0;
            size = startSize;
            while (row < rows && left - rowStart >= width * size) {
                rowStart += width * size;
                size = row == 0 ? size : 2 * size;
                row++;
            }
            if (row >= rows || left < 0 || depth > MOST_DEPTH || size > Long.MAX_VALUE / 4 / width) {
                throw new StoreException("there is nothing at byte " + offset + " of the heap at address " + address);
            }
            long column = (left - rowStart) / size;
            left -= rowStart + column * size;
            block = child(block, rows, row * width + (int) column);
            rows = size <= largestDirect ? 0 : 1 + log(size) - log(startSize * width);
        }
        ByteBuffer objects = direct(block, size);
        if (left > objects.limit() || length > objects.limit() - left) {
            throw new StoreException("an object of " + length + " bytes does not fit into the heap at " + address);
        }
        return objects.slice((int) left, (int) length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int log(long power) {
        return 63 - Long.numberOfLeadingZeros(power);
    }

    /** {@return the address of a block, from the table of blocks at an address} */
    private long child(long table, int rows, int index) throws IOException {
        ByteBuffer bytes = blocks.get(table);
        if (bytes == null) {
            long entries = (long) rows * width * FileMetadata.WORD;
            bytes = file.readChecked(table, BLOCK_PREFIX + offsetBytes + entries + FileMetadata.CHECKSUM, "FHIB");
            hold(table, bytes);
        }
        return bytes.getLong(BLOCK_PREFIX + offsetBytes + FileMetadata.WORD * index);
    }

    /** {@return a block of objects, whole} */
    private ByteBuffer direct(long block, long size) throws IOException {
        ByteBuffer bytes = blocks.get(block);
        if (bytes == null) {
            bytes = file.readSigned(block, size, "FHDB").rewind();
            if (checked) {
                byte[] content = new byte[bytes.limit()];
                bytes.get(0, content);
                int at = BLOCK_PREFIX + offsetBytes;
                int stored = bytes.getInt(at);
                ByteBuffer.wrap(content).putInt(at, 0);
                if (stored != ChecksumUtils.checksum(content)) {
                    throw new StoreException("the checksum of the FHDB at address " + block + " is wrong");
                }
            }
            hold(block, bytes);
        }
        return bytes;
    }
}
