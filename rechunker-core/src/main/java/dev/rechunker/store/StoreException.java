package dev.rechunker.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Says that trying again will not help: what is stored is corrupt, not understood, or in the way. The message names
 * store, array and, where there is one, chunk.
 */
public class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message. */
    public StoreException(String message) {
        super(message);
    }

    /** Creates it with a message and what caused it. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
