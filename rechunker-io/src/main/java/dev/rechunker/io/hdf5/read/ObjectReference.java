package dev.rechunker.io.hdf5.read;

import java.nio.ByteBuffer;

/**
 * A reference to an object.
 *
 * @param address the address of the object; 0 or {@link FileMetadata#UNDEFINED} if it refers to nothing
 */
record ObjectReference(long address) {
    /** {@return whether a datatype message is that of references to objects} */
    static boolean is(ByteBuffer type) {
        return ElementType.classOf(type) == ElementType.REFERENCE
                && (type.get(1) & 15) == 0
                && ElementType.sizeOf(type) == Long.BYTES;
    }

    boolean isNull() {
        return address == 0 || address == FileMetadata.UNDEFINED;
    }
}
