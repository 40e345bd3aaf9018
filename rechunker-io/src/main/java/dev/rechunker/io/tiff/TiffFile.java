package dev.rechunker.io.tiff;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.file.BlockCache;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The header of a TIFF or BigTIFF file, and its directories. Each position and count in the file is checked before it
 * is used. Thread-safe.
 *
 * <p>Source: TIFF revision 6.0, and the description of BigTIFF by its authors.
 */
final class TiffFile {
    private static final int CLASSIC = 42;
    private static final int BIG = 43;
    private static final int HEADER = 16;

    /** The bytes that are read for a directory at first. */
    private static final int FIRST_BYTES = 512;

    private static final int MOST_TAGS = 4096;

    /** The most pages of a file. */
    private static final int MOST_PAGES = 1 << 20;

    private final FileBytes bytes;
    private final BoxReader.Source pieces;
    private final ByteOrder byteOrder;
    private final boolean isBig;
    private final long first;

    /** @throws StoreException if the file is not TIFF */
    TiffFile(FileBytes bytes) throws IOException {
        this.bytes = bytes;
        this.pieces = bytes.isRemote() ? new BlockCache(bytes) : bytes::read;
        ByteBuffer header = ByteBuffer.allocate((int) Math.min(HEADER, bytes.size()));
        pieces.read(0, header);
        header.flip();
        if (!isHeader(header)) {
            throw new StoreException(bytes.name() + " is not a TIFF file");
        }
        this.byteOrder = header.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        header.order(byteOrder);
        this.isBig = header.getShort(2) == BIG;
        if (isBig && (header.remaining() < HEADER || header.getShort(4) != Long.BYTES)) {
            throw new StoreException(bytes.name() + " is a BigTIFF file whose positions do not have 8 bytes");
        }
        this.first = isBig ? header.getLong(8) : header.getInt(4) & 0xFFFFFFFFL;
    }

    /** {@return whether bytes are the start of a TIFF or BigTIFF file} */
    static boolean isHeader(ByteBuffer start) {
        if (start.remaining() < 8 || start.get(0) != start.get(1) || (start.get(0) != 'I' && start.get(0) != 'M')) {
            return false;
        }
        int version = start.get(0) == 'I' ? start.get(2) | start.get(3) << 8 : start.get(3) | start.get(2) << 8;
        return version == CLASSIC || version == BIG;
    }

    FileBytes bytes() {
        return bytes;
    }

    String name() {
        return bytes.name();
    }

    /** {@return the name without directories} */
    String leaf() {
        return NodePaths.leaf(name().replace('\\', '/'));
    }

    ByteOrder byteOrder() {
        return byteOrder;
    }

    /** {@return the size of positions in the file, in bytes} */
    int wordSize() {
        return isBig ? Long.BYTES : Integer.BYTES;
    }

    /** {@return the memory in use as long as the file is open, at most, in bytes} */
    long heldBytes() {
        return bytes.heldBytes() + (bytes.isRemote() ? BlockCache.heldBytes(bytes.size()) : 0);
    }

    /** {@return bytes in the byte order of the file} */
    ByteBuffer read(String what, long position, int length) throws IOException {
        requireInside(what, position, length);
        ByteBuffer buffer = ByteBuffer.allocate(length).order(byteOrder);
        pieces.read(position, buffer);
        return buffer.flip();
    }

    void requireInside(String what, long position, long length) throws StoreException {
        if (position < 0 || length < 0 || position > bytes.size() - length) {
            throw new StoreException(name() + " is damaged or cut off: " + what + " has " + length + " bytes at byte "
                    + Long.toUnsignedString(position) + ", but the file ends at byte " + bytes.size());
        }
    }

    /**
     * {@return all pages, in order}
     *
     * @throws StoreException if they are damaged, or more than a million
     */
    List<Page> pages() throws IOException {
        List<Page> all = new ArrayList<>();
        Map<PageLayout, PageLayout> layouts = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (long position = first; position != 0; ) {
            if (!seen.add(position)) {
                throw new StoreException(name() + " is damaged: the page at byte " + position
                        + " follows itself, so that the list of pages has no end");
            }
            if (all.size() == MOST_PAGES) {
                throw new StoreException(name() + " has more than " + MOST_PAGES + " pages, which is not supported");
            }
            Directory directory = directory(position);
            all.add(Page.of(directory, layouts));
            position = directory.next();
        }
        if (all.isEmpty()) {
            throw new StoreException(name() + " has no pages; the program that wrote it may not have closed it");
        }
        return all;
    }

    /** {@return the directory at a position} */
    Directory directory(long position) throws IOException {
        String what = "a list of tags";
        int countSize = isBig ? Long.BYTES : Short.BYTES;
        int entrySize = isBig ? 20 : 12;
        requireInside(what, position, countSize);
        ByteBuffer block = read(what, position, (int) Math.min(FIRST_BYTES, bytes.size() - position));
        long count = isBig ? block.getLong(0) : block.getShort(0) & 0xFFFF;
        if (count < 0 || count > MOST_TAGS) {
            throw new StoreException(name() + " is damaged: the page at byte " + position + " has "
                    + Long.toUnsignedString(count) + " tags, but at most " + MOST_TAGS + " are supported");
        }
        int length = countSize + (int) count * entrySize + wordSize();
        if (length > block.remaining()) {
            block = read(what, position, length);
        }
        Map<Integer, Directory.Entry> entries = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int at = countSize + i * entrySize;
            int value = at + (isBig ? 12 : 8);
            int type = block.getShort(at + 2) & 0xFFFF;
            long elements = isBig ? block.getLong(at + 4) : block.getInt(at + 4) & 0xFFFFFFFFL;
            if (Directory.sizeOf(type) > 0) {
                int tag = block.getShort(at) & 0xFFFF;
                long word = isBig ? block.getLong(value) : block.getInt(value) & 0xFFFFFFFFL;
                entries.putIfAbsent(tag, entry(position, tag, type, elements, word));
            }
        }
        int end = countSize + (int) count * entrySize;
        long next = isBig ? block.getLong(end) : block.getInt(end) & 0xFFFFFFFFL;
        return new Directory(this, position, entries, next);
    }

    private Directory.Entry entry(long page, int tag, int type, long count, long word) throws StoreException {
        int size = Directory.sizeOf(type);
        if (count < 0 || count > bytes.size() / size) {
            throw new StoreException(name() + " is damaged: tag " + tag + " of the page at byte " + page + " has "
                    + Long.toUnsignedString(count) + " elements, which are more than the file has bytes");
        }
        return new Directory.Entry(type, count, word);
    }
}
