package dev.rechunker.io.hdf5.write;

import java.io.IOException;
import java.nio.ByteOrder;

/** Stores texts, other values of variable length, and named types, outside of object headers. */
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

    /**
     * Stores a named type; {@return the message of an object that has this type}
     *
     * <p>By default nothing is stored, and the message refers to nothing.
     *
     * @param name the name that is wanted, as a path relative to the group of the object
     * @param type the message of the type
     */
    default MessageBytes putType(String name, MessageBytes type) throws IOException {
        return NamedTypes.reference(0);
    }

    /**
     * {@return the address of an object; 0 if there is none}
     *
     * @param text a path relative to the group of the object with the reference
     */
    default long objectAddress(String text) {
        return 0;
    }

    /**
     * {@return the byte order of the values of a named type, which is little-endian unless a dataset has it otherwise}
     */
    default ByteOrder order(String name) {
        return ByteOrder.LITTLE_ENDIAN;
    }

    /** {@return the reference for null} */
    static MessageBytes none() {
        return reference(0, 0, 0);
    }

    /** {@return a reference to {@code elements} elements in object {@code index} of a collection} */
    static MessageBytes reference(int elements, long collection, int index) {
        return new MessageBytes().u32(elements).u64(collection).u32(index);
    }
}
