package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunk indexes that are arrays: fixed arrays, and arrays that are extensible along one axis. Large blocks are
 * divided into pages. A bitmap has the pages that were written; other pages have no defined content. Source: the HDF5
 * File Format Specification 3.0, VII.C and VII.D.
 */
final class ArrayIndex {
    private static final int FIXED_HEADER = 28;
    private static final int EXTENSIBLE_HEADER = 72;
    private static final int STATISTICS = 48;

    /** The size of signature, version, client, and address of the header. */
    private static final int PREFIX = 14;

    private static final int MOST_BITS = 30;

    private final FileMetadata file;
    private final long header;
    private final int client;
    private final int elementSize;
    private final Elements elements;
    private int offsetBytes;
    private int pageBits;

    /** Receives the elements that were written. */
    interface Elements {
        /** Receives an element, which begins at the position of a buffer. */
        void element(long number, ByteBuffer bytes, int size) throws IOException;
    }

    private ArrayIndex(FileMetadata file, long header, boolean filtered, ByteBuffer start, Elements elements)
            throws StoreException {
        this.file = file;
        this.header = header;
        this.elements = elements;
        int version = start.get();
        this.client = start.get();
        this.elementSize = start.get() & 0xFF;
        boolean fits = filtered ? elementSize > FileMetadata.WORD + Integer.BYTES : elementSize == FileMetadata.WORD;
        if (version != 0 || client != (filtered ? 1 : 0) || !fits) {
            throw new StoreException("a chunk index of version " + version + " for client " + client
                    + " with elements of " + elementSize + " bytes is not supported");
        }
    }

    /** Visits the elements of a fixed array. */
    static void visitFixed(FileMetadata file, long address, boolean filtered, Elements elements) throws IOException {
        ByteBuffer start = file.readChecked(address, FIXED_HEADER, "FAHD");
        ArrayIndex index = new ArrayIndex(file, address, filtered, start, elements);
        index.pageBits = start.get();
        long count = start.getLong();
        long block = start.getLong();
        if (index.pageBits < 0 || index.pageBits > MOST_BITS || count < 0) {
            throw new StoreException("a fixed array of " + count + " elements in pages of 2^" + index.pageBits
                    + " elements is not valid");
        }
        if (block != FileMetadata.UNDEFINED) {
            index.visitBlock("FADB", block, 0, count, null, 0);
        }
    }

    /** Visits the elements of an extensible array. */
    static void visitExtensible(FileMetadata file, long address, boolean filtered, Elements elements)
            throws IOException {
        ByteBuffer start = file.readChecked(address, EXTENSIBLE_HEADER, "EAHD");
        ArrayIndex index = new ArrayIndex(file, address, filtered, start, elements);
        int bits = start.get() & 0xFF;
        int inIndex = start.get() & 0xFF;
        int least = start.get() & 0xFF;
        int leastPointers = start.get() & 0xFF;
        index.pageBits = start.get();
        index.offsetBytes = (bits + 7) / 8;
        boolean powers = Integer.bitCount(least) == 1 && Integer.bitCount(leastPointers) == 1;
        if (!powers || bits > Long.SIZE || index.pageBits < 0 || index.pageBits > MOST_BITS) {
            throw new StoreException("an extensible array with blocks of " + least + " elements, " + leastPointers
                    + " pointers, pages of 2^" + index.pageBits + " and 2^" + bits + " elements is not supported");
        }
        start.position(start.position() + STATISTICS);
        long root = start.getLong();
        if (root != FileMetadata.UNDEFINED) {
            index.visitIndexBlock(root, inIndex, least, leastPointers, bits);
        }
    }

    private static int log(int power) {
        return Integer.numberOfTrailingZeros(power);
    }

    /**
     * Visits the index block. It has the first elements, then the addresses of the first data blocks, then the
     * addresses of super blocks. Super block s has 2^(s/2) data blocks of {@code least * 2^((s+1)/2)} elements.
     */
    private void visitIndexBlock(long address, int inIndex, int least, int leastPointers, int bits) throws IOException {
        int supers = 1 + Math.max(0, bits - log(least));
        int direct = Math.min(supers, 2 * log(leastPointers));
        int pointers = supers - direct;
        for (int s = 0; s < direct; s++) {
            pointers += 1 << (s / 2);
        }
        long size = PREFIX + (long) inIndex * elementSize + (long) pointers * FileMetadata.WORD + FileMetadata.CHECKSUM;
        ByteBuffer block = open(address, size, "EAIB");
        visit(block, 0, inIndex);
        long first = inIndex;
        for (int s = 0; s < supers; s++) {
            long blocks = 1L << (s / 2);
            long count = Math.multiplyExact(1L << ((s + 1) / 2), (long) least);
            if (s < direct) {
                for (long k = 0; k < blocks; k++) {
                    visitDataBlock(block.getLong(), first + k * count, count, null, 0);
                }
            } else {
                long superBlock = block.getLong();
                if (superBlock != FileMetadata.UNDEFINED) {
                    visitSuperBlock(superBlock, first, blocks, count);
                }
            }
            first += blocks * count;
        }
    }

    private void visitSuperBlock(long address, long first, long blocks, long count) throws IOException {
        long pages = pages(count);
        long bitmap = Math.multiplyExact(blocks, (pages + 7) / 8);
        long size =
                PREFIX + offsetBytes + bitmap + Math.multiplyExact(blocks, FileMetadata.WORD) + FileMetadata.CHECKSUM;
        ByteBuffer block = open(address, size, "EASB");
        block.position(block.position() + offsetBytes);
        byte[] written = new byte[Math.toIntExact(bitmap)];
        block.get(written);
        for (long k = 0; k < blocks; k++) {
            visitDataBlock(block.getLong(), first + k * count, count, written, k * pages);
        }
    }

    private void visitDataBlock(long address, long first, long count, byte @Nullable [] written, long bit)
            throws IOException {
        if (address != FileMetadata.UNDEFINED) {
            visitBlock("EADB", address, first, count, written, bit);
        }
    }

    /** {@return the number of pages of a block of {@code count} elements; 0 if it is not divided into pages} */
    private long pages(long count) {
        long page = 1L << pageBits;
        return count > page ? (count + page - 1) / page : 0;
    }

    /**
     * Visits a data block.
     *
     * @param written the bitmap of pages, most significant bit first; null if the block itself has the bitmap
     * @param bit the first bit of the block in the bitmap
     */
    private void visitBlock(String signature, long address, long first, long count, byte @Nullable [] written, long bit)
            throws IOException {
        long pages = pages(count);
        boolean ownBits = pages > 0 && written == null;
        long bitmap = ownBits ? (pages + 7) / 8 : 0;
        long content = pages > 0 ? bitmap : Math.multiplyExact(count, elementSize);
        long size = PREFIX + offsetBytes + content + FileMetadata.CHECKSUM;
        ByteBuffer block = open(address, size, signature);
        block.position(block.position() + offsetBytes);
        if (pages == 0) {
            visit(block, first, count);
            return;
        }
        byte[] bits = written;
        if (bits == null) {
            bits = new byte[Math.toIntExact(bitmap)];
            block.get(bits);
        }
        long page = 1L << pageBits;
        long stride = page * elementSize + FileMetadata.CHECKSUM;
        for (long p = 0; p < pages; p++) {
            long at = bit + p;
            if ((bits[(int) (at >> 3)] >> (7 - (int) (at & 7)) & 1) != 0) {
                long inPage = Math.min(page, count - p * page);
                long place = address + size + p * stride;
                ByteBuffer elementsOfPage = file.read(place, inPage * elementSize + FileMetadata.CHECKSUM);
                FileMetadata.requireChecksum(elementsOfPage, "page of an index", place);
                visit(elementsOfPage, first + p * page, inPage);
            }
        }
    }

    /** {@return a block of this array, positioned after its prefix} */
    private ByteBuffer open(long address, long size, String signature) throws IOException {
        ByteBuffer block = file.readChecked(address, size, signature);
        int version = block.get();
        int kind = block.get();
        if (version != 0 || kind != client || block.getLong() != header) {
            throw new StoreException("the " + signature + " at address " + address + " belongs to another index");
        }
        return block;
    }

    private void visit(ByteBuffer block, long first, long count) throws IOException {
        for (long i = 0; i < count; i++) {
            int at = block.position();
            elements.element(first + i, block, elementSize);
            block.position(at + elementSize);
        }
    }
}
