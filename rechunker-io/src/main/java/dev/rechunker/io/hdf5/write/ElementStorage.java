package dev.rechunker.io.hdf5.write;

/**
 * Where the elements of a dataset lie.
 *
 * @param address of the chunk index, or of the elements if they are contiguous; undefined if none was ever written
 * @param storedBytes what the elements take in the file
 */
record ElementStorage(long address, long storedBytes) {
    boolean isEmpty() {
        return address == MessageBytes.UNDEFINED;
    }
}
