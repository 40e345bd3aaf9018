package dev.rechunker.view;

import dev.rechunker.store.ArrayReader;

/** A reader that shows the axes of an array in another order than that in which it can deliver them. */
public interface Ordered {
    /**
     * {@return a reader of the same array that delivers elements in the order in which they are stored, as its
     * {@linkplain dev.rechunker.store.ReadTraits#axisOrder() traits} say, so that they need not be put in order first}
     * It has the resources of this reader; either one is closed.
     *
     * @param most the most bytes of a decoded chunk for which it may need memory, to be put in order faster
     */
    ArrayReader inStoredOrder(long most);

    /** {@return the reader that delivers the elements of a reader in the order in which they are stored, if it can} */
    static ArrayReader of(ArrayReader reader, long most) {
        return reader instanceof Ordered ordered ? ordered.inStoredOrder(most) : reader;
    }
}
