package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.store.StoreException;
import java.io.IOException;

/** What is at a path of the store. */
sealed interface Item {
    /** A group. */
    record Group(GroupSpec spec) implements Item {}

    /** An array of pages. */
    record Pages(TiffArray array) implements Item {}

    /**
     * An array whose elements are computed, such as a coordinate.
     *
     * @param spec the array, which has one axis or none, and one chunk
     * @param first the first element
     * @param step the difference of two elements
     */
    record Line(ArraySpec spec, double first, double step) implements Item {}

    /**
     * An array that is not supported.
     *
     * @param reason the reason
     */
    record Refused(String reason) implements Item {
        StoreException exception(String name) {
            return new StoreException(name + " cannot be read: " + reason);
        }
    }

    /** Makes an array, which may not be supported. */
    interface Maker {
        TiffArray make() throws IOException;
    }

    /** {@return an array, or the reason why it is not supported} */
    static Item of(Maker maker) throws IOException {
        try {
            return new Pages(maker.make());
        } catch (StoreException e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
    }
}
