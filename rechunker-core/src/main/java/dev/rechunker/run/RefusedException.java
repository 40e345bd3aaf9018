package dev.rechunker.run;

import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Says that a run was refused before it wrote anything: something is at the target, another run is writing there, an
 * earlier one has left what it did, or there is too little space.
 */
public final class RefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with what is refused, and what would do. */
    public RefusedException(String message) {
        super(message);
    }

    /** Creates it, with its cause. */
    public RefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Creates it from what a store refuses, in its words. */
    public RefusedException(StoreException refusal) {
        this(String.valueOf(refusal.getMessage()), refusal);
    }
}
