package dev.rechunker.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store cannot hold an array, whatever its chunks and codecs: for instance because its format has no
 * elements of that type, or no arrays without axes. If a group is copied, such an array is left out and listed as a
 * loss.
 */
public final class UnsupportedArrayException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message that names what the store does not support. */
    public UnsupportedArrayException(String message) {
        super(message);
    }

    /** Creates an exception with a message that names what the store does not support, and with its cause. */
    public UnsupportedArrayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Creates an exception with what the store does not support, its cause, and what would help. */
    public UnsupportedArrayException(String problem, @Nullable Throwable cause, List<Advice> advice) {
        super(problem, cause, advice);
    }
}
