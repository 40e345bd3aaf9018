package dev.rechunker.io.hdf5.write;

/**
 * The location of the elements of a dataset.
 *
 * @param address the address of the chunk index, or of contiguous elements; undefined if nothing was written
 * @param storedBytes the size of the elements in the file, in bytes
 */
record ElementStorage(long address, long storedBytes) {
    boolean isEmpty() {
        return address == MessageBytes.UNDEFINED;
    }
}
