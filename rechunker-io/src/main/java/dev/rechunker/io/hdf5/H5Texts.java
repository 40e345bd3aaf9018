package dev.rechunker.io.hdf5;

import java.io.IOException;

/** Takes texts that are stored elsewhere. */
interface H5Texts {
    /** The bytes of a reference. */
    int REFERENCE = 16;

    /** Stores nothing: to see whether, and how large. */
    H5Texts NOWHERE = text -> reference(text.length, 0, 0);

    /** {@return the reference to a text, which it stores} */
    H5Bytes put(byte[] text) throws IOException;

    /** {@return the reference of null} */
    static H5Bytes none() {
        return reference(0, 0, 0);
    }

    /** {@return a reference to object {@code index} of a collection} */
    static H5Bytes reference(int length, long collection, int index) {
        return new H5Bytes().u32(length).u64(collection).u32(index);
    }
}
