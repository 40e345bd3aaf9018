package dev.rechunker.run;

import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a run is refused before it writes anything: the target exists, another run is writing to it, an unfinished
 * run has left its work there, or there is too little space.
 */
public final class RefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with what is wrong and what would help. */
    public RefusedException(String problem, Advice... advice) {
        super(problem, advice);
    }

    /** Creates an exception with what is wrong, its cause, and what would help. */
    public RefusedException(String problem, @Nullable Throwable cause, Advice... advice) {
        super(problem, cause, advice);
    }

    /** Creates an exception with what is wrong, its cause, and what would help. */
    public RefusedException(String problem, @Nullable Throwable cause, List<Advice> advice) {
        super(problem, cause, advice);
    }

    /** Creates an exception from the refusal of a store, with the same message. */
    public RefusedException(StoreException refusal) {
        super(refusal.problem(), refusal, refusal.advice());
    }

    /** {@return the same refusal, with a text at the start of its message} */
    public RefusedException after(String before) {
        return new RefusedException(before + problem(), this, advice());
    }
}
