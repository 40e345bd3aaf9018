package dev.rechunker.io.codec;

import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Says that bytes cannot be decoded, or elements not be encoded; the caller adds store, array and chunk. */
public final class CodecException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message. */
    public CodecException(String message) {
        super(message);
    }

    /** {@return an exception that says in words why a library has refused a stream} */
    static CodecException ofStream(String codec, Exception cause) {
        boolean inWords = cause instanceof IOException && cause.getMessage() != null;
        String why = cause instanceof EOFException ? "cut off" : "corrupt" + (inWords ? ": " + cause.getMessage() : "");
        return new CodecException(codec + ": the stream is " + why, cause);
    }

    /** Creates it with a message and what caused it. */
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
