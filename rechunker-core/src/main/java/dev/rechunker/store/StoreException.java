package dev.rechunker.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Says that trying again will not help: what is stored is corrupt, not understood, or in the way. The message names
 * store, array and, where there is one, chunk. Of a message that repeats too much of what is stored, the middle is left
 * out.
 */
public class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 1200;
    private static final int HEAD = 800;
    private static final int TAIL = 300;

    /** Creates it with a message. */
    public StoreException(String message) {
        super(shortened(message));
    }

    /** Creates it with a message and what caused it. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(shortened(message), cause);
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST
                ? message
                : message.substring(0, HEAD) + " ... " + message.substring(message.length() - TAIL);
    }
}
