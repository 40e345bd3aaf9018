package dev.rechunker.io.hdf5.write;

import java.io.IOException;

/** Stores texts, and other values of variable length, outside of object headers. */
interface TextSink {
    /** The size of a reference, in bytes. */
    int REFERENCE = 16;

    /** A sink that stores nothing, to check values and measure headers. */
    TextSink NOWHERE = (bytes, elements) -> reference(elements, 0, 0);

    /** Stores a text; {@return a reference to it} */
    default MessageBytes put(byte[] text) throws IOException {
        return put(text, text.length);
    }

    /** Stores elements; {@return a reference to them} */
    MessageBytes put(byte[] bytes, int elements) throws IOException;

    /** {@return the reference for null} */
    static MessageBytes none() {
        return reference(0, 0, 0);
    }

    /** {@return a reference to {@code elements} elements in object {@code index} of a collection} */
    static MessageBytes reference(int elements, long collection, int index) {
        return new MessageBytes().u32(elements).u64(collection).u32(index);
    }
}
