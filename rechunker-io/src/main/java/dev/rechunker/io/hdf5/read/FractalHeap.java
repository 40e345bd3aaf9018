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
 * Reads fractal heaps, which have the links of large groups, and the attributes of objects with many or large ones.
 *
 * <p>Small objects have an offset in a linear space, which is divided into rows of blocks. The blocks of the first two
 * rows have the same size, and those of each further row twice the size of the row before. Blocks up to a maximum size
 * contain objects; larger blocks are tables of blocks.
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

    /** The location of a large object. */
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
            throw new StoreException("the heap at address " + address + " is malformed or not supported");
        }
        offsetBytes = (bits + 7) / 8;
        lengthBytes = Math.min(bytes(largestDirect), bytes(largestManaged));
    }

    static FractalHeap read(FileMetadata file, long address) throws IOException {
        ByteBuffer header = file.readSigned(address, HEADER, "FRHP");
        if (header.getShort(FILTERS) != 0) { // filters precede the checksum and move it
            throw new StoreException("the heap at address " + address + " is compressed, which is not supported");
        }
        FileMetadata.requireChecksum(header.duplicate().rewind(), "FRHP", address);
        return new FractalHeap(file, address, header);
    }

    private static int bytes(long most) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, most))) / 8 + 1;
    }

    int idLength() {
        return idLength;
    }

    /** {@return the bytes of the object with an ID, little-endian} */
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
            default -> throw new StoreException("heap objects with flags " + flags + " are not supported");
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

    private void cache(long block, ByteBuffer bytes) {
        heldBytes += bytes.capacity();
        if (heldBytes > MOST_HELD) {
            blocks.clear();
            heldBytes = bytes.capacity();
        }
        blocks.put(block, bytes);
    }

    private ByteBuffer managed(long offset, long length) throws IOException {
        long block = rootBlock;
        long rest = offset;
        long size = startSize;
        int rows = rootRows;
        for (int depth = 0; rows > 0; depth++) {
            long rowStart = 0;
            int row = 0;
            size = startSize;
            while (row < rows && rest - rowStart >= width * size) {
                rowStart += width * size;
                size = row == 0 ? size : 2 * size;
                row++;
            }
            if (row >= rows || rest < 0 || depth > MOST_DEPTH || size > Long.MAX_VALUE / 4 / width) {
                throw new StoreException("offset " + offset + " is not in the heap at address " + address);
            }
            long column = (rest - rowStart) / size;
            rest -= rowStart + column * size;
            block = child(block, rows, row * width + (int) column);
            rows = size <= largestDirect ? 0 : 1 + log(size) - log(startSize * width);
        }
        ByteBuffer objects = direct(block, size);
        if (rest > objects.limit() || length > objects.limit() - rest) {
            throw new StoreException(
                    "an object of " + length + " bytes extends beyond its block in the heap at address " + address);
        }
        return objects.slice((int) rest, (int) length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int log(long power) {
        return 63 - Long.numberOfLeadingZeros(power);
    }

    /** {@return the address of a block in the table of blocks at an address} */
    private long child(long table, int rows, int index) throws IOException {
        ByteBuffer bytes = blocks.get(table);
        if (bytes == null) {
            long entries = (long) rows * width * FileMetadata.WORD;
            bytes = file.readChecked(table, BLOCK_PREFIX + offsetBytes + entries + FileMetadata.CHECKSUM, "FHIB");
            cache(table, bytes);
        }
        return bytes.getLong(BLOCK_PREFIX + offsetBytes + FileMetadata.WORD * index);
    }

    /** {@return a block of objects} */
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
            cache(block, bytes);
        }
        return bytes;
    }
}
