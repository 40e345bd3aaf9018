package dev.rechunker.io.hdf5;

/**
 * Where the elements of a dataset lie.
 *
 * @param address of the chunk index, or of the elements if they are contiguous; undefined if none was ever written
 * @param storedBytes what the elements take in the file
 */
record H5Storage(long address, long storedBytes) {
    boolean isEmpty() {
        return address == H5Bytes.UNDEFINED;
    }
}
