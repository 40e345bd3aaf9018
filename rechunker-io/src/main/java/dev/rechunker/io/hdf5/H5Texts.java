package dev.rechunker.io.hdf5;

import java.io.IOException;

/** Takes texts, and other values of any length, that are stored elsewhere. */
interface H5Texts {
    /** The bytes of a reference. */
    int REFERENCE = 16;

    /** Stores nothing: to see whether, and how large. */
    H5Texts NOWHERE = (bytes, elements) -> reference(elements, 0, 0);

    /** {@return the reference to a text, which it stores} */
    default H5Bytes put(byte[] text) throws IOException {
        return put(text, text.length);
    }

    /** {@return the reference to elements, which it stores} */
    H5Bytes put(byte[] bytes, int elements) throws IOException;

    /** {@return the reference of null} */
    static H5Bytes none() {
        return reference(0, 0, 0);
    }

    /** {@return a reference to so many elements, object {@code index} of a collection} */
    static H5Bytes reference(int elements, long collection, int index) {
        return new H5Bytes().u32(elements).u64(collection).u32(index);
    }
}
