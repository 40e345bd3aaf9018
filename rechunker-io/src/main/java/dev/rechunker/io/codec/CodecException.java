package dev.rechunker.io.codec;

import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when bytes cannot be decoded, or elements cannot be encoded. Callers add store, array and chunk to the
 * message.
 */
public final class CodecException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message. */
    public CodecException(String message) {
        super(message);
    }

    /** {@return an exception with the reason why a library has refused a stream} */
    static CodecException ofStream(String codec, Exception cause) {
        boolean inWords = cause instanceof IOException && cause.getMessage() != null;
        String why = cause instanceof EOFException ? "cut off" : "corrupt" + (inWords ? ": " + cause.getMessage() : "");
        return new CodecException(codec + ": the stream is " + why, cause);
    }

    /** Creates an exception with a message and a cause. */
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
