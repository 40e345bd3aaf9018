package dev.rechunker.io.hdf5.write;

/**
 * The addresses and stored sizes of the chunks of an array. It takes 12 bytes for each chunk of the grid.
 *
 * <p>Several threads may set different chunks at the same time. Methods that read all chunks must be called after that.
 */
final class ChunkTable {
    /** The memory for a chunk, in bytes. */
    static final int BYTES = Long.BYTES + Integer.BYTES;

    private final long[] addresses;
    private final int[] sizes;

    ChunkTable(int chunks) {
        addresses = new long[chunks];
        sizes = new int[chunks];
    }

    void set(int chunk, long address, int size) {
        addresses[chunk] = address;
        sizes[chunk] = size;
    }

    /** {@return the stored size of a chunk in bytes; 0 if it was never written} */
    int size(int chunk) {
        return sizes[chunk];
    }

    long address(int chunk) {
        return addresses[chunk];
    }

    /** {@return the first chunk at or after {@code chunk} that was written, or the number of chunks} */
    int next(int chunk) {
        int next = chunk;
        while (next < sizes.length && sizes[next] == 0) {
            next++;
        }
        return next;
    }

    /** {@return the number of chunks that were written} */
    int written() {
        int count = 0;
        for (int size : sizes) {
            count += size == 0 ? 0 : 1;
        }
        return count;
    }

    /** {@return the stored size of all chunks, in bytes} */
    long storedBytes() {
        long bytes = 0;
        for (int size : sizes) {
            bytes += size;
        }
        return bytes;
    }
}
