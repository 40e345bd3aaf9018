package dev.rechunker.store;

import org.jspecify.annotations.Nullable;

/**
 * Says that a store cannot hold an array, whatever its chunks and codecs: it has no elements of that type, say, or no
 * arrays without axes. An array that nobody asked for by name, but that is in a group that is copied, is then left out,
 * and that is said.
 */
public final class UnsupportedArrayException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message that names what it has not. */
    public UnsupportedArrayException(String message) {
        super(message);
    }

    /** Creates it with a message that names what it has not, and what caused it. */
    public UnsupportedArrayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
