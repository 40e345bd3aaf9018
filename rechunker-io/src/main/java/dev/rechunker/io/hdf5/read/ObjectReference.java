package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.hdf5.format.ReferredRegion;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A reference to an object, or to a region of a dataset.
 *
 * @param address the address of the object; 0 or {@link FileMetadata#UNDEFINED} if it refers to nothing
 * @param region the text of the selected elements; empty for an object
 */
record ObjectReference(long address, Optional<String> region) {
    private static final int REGION = 1;

    /** The size of a reference to a region: the address of a heap, and the number of an object in it. */
    static final int REGION_SIZE = Long.BYTES + Integer.BYTES;

    /** {@return whether a datatype message is that of references to objects or regions} */
    static boolean is(ByteBuffer type) {
        return ElementType.classOf(type) == ElementType.REFERENCE
                && (type.get(1) & 15) <= REGION
                && ElementType.sizeOf(type) == (isRegion(type) ? REGION_SIZE : Long.BYTES);
    }

    /** {@return whether the references of a datatype message are those to regions} */
    static boolean isRegion(ByteBuffer type) {
        return (type.get(1) & 15) == REGION;
    }

    /** {@return a reference to an object} */
    static ObjectReference to(long address) {
        return new ObjectReference(address, Optional.empty());
    }

    /** {@return a reference to a region, whose object and selection the remaining bytes of a buffer are} */
    static ObjectReference toRegion(ByteBuffer contents) throws StoreException {
        int size = contents.remaining() - Long.BYTES;
        if (size < 0 || size > ReferredRegion.MOST_BYTES) {
            throw new StoreException("a reference to a region has " + contents.remaining() + " bytes, not " + Long.BYTES
                    + " to " + (Long.BYTES + ReferredRegion.MOST_BYTES));
        }
        return new ObjectReference(contents.getLong(), Optional.of(ReferredRegion.of(contents)));
    }

    boolean isNull() {
        return address == 0 || address == FileMetadata.UNDEFINED;
    }

    /** {@return the text of a reference to an object that has a text itself} */
    String text(String object) {
        return region.map(selected -> new ReferencePath.Region(selected, object).toString())
                .orElse(object);
    }
}
