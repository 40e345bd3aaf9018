package dev.rechunker.store;

import org.jspecify.annotations.Nullable;

/**
 * Says that a store has no elements of the type of an array that it is to hold, whatever its chunks and codecs. An
 * array that nobody asked for by name, but that is in a group that is copied, is then left out, and that is said.
 */
public final class UnsupportedTypeException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message that names the type. */
    public UnsupportedTypeException(String message) {
        super(message);
    }

    /** Creates it with a message that names the type, and what caused it. */
    public UnsupportedTypeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
