package dev.rechunker.io.hdf5.write;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes what the elements of a dataset refer to, and finds the references that the dataset has. */
interface OutsideElements {
    /** {@return the elements of a write unit, which take at most {@link ElementHeap#COLLECTION} bytes of a scratch} */
    Unit elements(ByteBuffer references, Scratch scratch);

    /** Writes what was not written yet. No thread may be writing elements. */
    void flush() throws IOException;

    /**
     * {@return a reader of elements that were written, for one thread, which takes at most
     * {@link HeapCollection#SCRATCH_BYTES} of a scratch}
     */
    Reader reader(Scratch scratch);

    /** Reads elements that were written. */
    @FunctionalInterface
    interface Reader {
        /** Reads the elements of the remaining references, padded to the size of the longest. */
        void read(ByteBuffer references, ByteBuffer target) throws IOException;
    }

    /** The elements of one write unit, which one thread adds. */
    interface Unit {
        /**
         * Adds the next element of a buffer, with its length and padding. References must be added in ascending order.
         *
         * @param at the position of its reference
         */
        void add(ByteBuffer elements, int at) throws IOException;

        /** Writes what is left; {@return the size of all that was written, in bytes} */
        long finish() throws IOException;
    }
}
