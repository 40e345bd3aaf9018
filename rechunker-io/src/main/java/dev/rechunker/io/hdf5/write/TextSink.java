package dev.rechunker.io.hdf5.write;

import java.io.IOException;

/** Takes texts, and other values of any length, that are stored elsewhere. */
interface TextSink {
    /** The bytes of a reference. */
    int REFERENCE = 16;

    /** Stores nothing: to see whether, and how large. */
    TextSink NOWHERE = (bytes, elements) -> reference(elements, 0, 0);

    /** {@return the reference to a text, which it stores} */
    default MessageBytes put(byte[] text) throws IOException {
        return put(text, text.length);
    }

    /** {@return the reference to elements, which it stores} */
    MessageBytes put(byte[] bytes, int elements) throws IOException;

    /** {@return the reference of null} */
    static MessageBytes none() {
        return reference(0, 0, 0);
    }

    /** {@return a reference to so many elements, object {@code index} of a collection} */
    static MessageBytes reference(int elements, long collection, int index) {
        return new MessageBytes().u32(elements).u64(collection).u32(index);
    }
}
