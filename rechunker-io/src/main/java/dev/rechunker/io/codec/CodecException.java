package dev.rechunker.io.codec;

import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Says that bytes cannot be decoded, or elements not be encoded; the caller adds store, array and chunk. */
public final class CodecException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message. */
    public CodecException(String message) {
        super(message);
    }

    /** Creates it with a message and what caused it. */
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
