package dev.rechunker.store;

import org.jspecify.annotations.Nullable;

/**
 * The refusal of an array that a store cannot hold, whatever its chunks and codecs: for instance because it has no
 * elements of that type, or no arrays without axes. If a group is copied, such an array is left out of the copy and
 * listed as a loss.
 */
public final class UnsupportedArrayException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message that names what the store does not have. */
    public UnsupportedArrayException(String message) {
        super(message);
    }

    /** Creates it with a message that names what the store does not have, and the cause. */
    public UnsupportedArrayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
