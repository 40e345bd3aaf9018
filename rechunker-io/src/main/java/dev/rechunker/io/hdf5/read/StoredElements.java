package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A type of elements that refer to something in the file, such as texts in a global heap, or that are stored in another
 * form, so that a reader resolves them.
 */
interface StoredElements {
    /**
     * {@return the elements of a datatype message; empty if they are stored where the dataset is}
     *
     * @throws dev.rechunker.store.StoreException if the type is not supported; the message names it
     */
    static Optional<StoredElements> of(ByteBuffer message) throws IOException {
        if (ObjectReference.is(message)) {
            return Optional.of(ObjectReferences.described(message));
        }
        Optional<PartialNumbers> partial = PartialNumbers.of(message);
        if (partial.isPresent()) {
            return Optional.of(partial.get());
        }
        Optional<VariableType> variable = VariableType.of(message);
        return variable.isPresent()
                ? Optional.of(variable.get())
                : TextFields.of(message).map(fields -> fields);
    }

    /** {@return the type of what is stored in place of elements} */
    ElementType stored();

    /** {@return the type of elements; it is not measured if they have lengths} */
    DataType type();

    /**
     * {@return the type of elements if the longest text or sequence has this length}
     *
     * @param longest the length in bytes
     * @throws dev.rechunker.store.StoreException if such elements are not supported
     */
    DataType type(int longest) throws IOException;

    /** {@return whether the bytes of elements are a length and contents, so that their fill value has no padding} */
    default boolean hasLengths() {
        return type().isVariable();
    }

    /** {@return a sentence about how elements are stored in another way than in the file; empty if they are not} */
    default Optional<String> change() {
        return Optional.empty();
    }

    /** {@return the memory that is held to resolve elements, in bytes} */
    default long heldBytes() throws IOException {
        return 0;
    }

    /** {@return the scratch memory of {@link #resolver}, in bytes} */
    default long scratchBytes(DataType type) {
        return type.isMeasured() ? HeapObjects.SCRATCH_BYTES : 0;
    }

    /**
     * {@return a resolver for one thread}
     *
     * @param type the type of elements; if it is not measured, only lengths are resolved
     * @param bytesRead counts the bytes that are read
     */
    Resolver resolver(FileMetadata file, DataType type, LongAdder bytesRead, Scratch scratch);

    /** Puts elements in place of what is stored. */
    @FunctionalInterface
    interface Resolver {
        /**
         * Resolves an element.
         *
         * @param stored what is stored, at the position of a little-endian buffer, which is advanced
         * @param target the little-endian buffer to whose position the element is written
         * @throws dev.rechunker.store.StoreException if what is stored is not valid, or the element is longer than its
         *     type allows
         */
        void resolve(ByteBuffer stored, ByteBuffer target) throws IOException;
    }
}
