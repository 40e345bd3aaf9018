package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Writes what the elements of a dataset refer to, and finds the references that the dataset has. */
interface OutsideElements {
    /** {@return the elements of a write unit, which take at most {@link ElementHeap#COLLECTION} bytes of a scratch} */
    Unit elements(ByteBuffer references, Scratch scratch);

    /** Writes what was not written yet. No thread may be writing elements. */
    void flush() throws IOException;

    /** Reads elements that were written, for one thread. */
    interface Reader {
        /** Reads the elements of the remaining references, padded to the size of the longest. */
        void read(ByteBuffer references, ByteBuffer target) throws IOException;

        /** {@return a reader of the elements of an array; {@code references} if it has references to objects} */
        static Reader of(@Nullable ReferenceElements references, PartFile file, DataType type, Scratch scratch) {
            return references == null ? new WrittenElements(file, type, scratch) : references;
        }
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
