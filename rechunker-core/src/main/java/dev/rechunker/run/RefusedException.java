package dev.rechunker.run;

import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says that a run was refused before it wrote anything: something is at the target, another run is writing there, an
 * earlier one has left what it did, or there is too little space.
 */
public final class RefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it with what is refused, and what would help. */
    public RefusedException(String problem, Advice... advice) {
        super(problem, advice);
    }

    /** Creates it with what is refused, what caused that, and what would help. */
    public RefusedException(String problem, @Nullable Throwable cause, Advice... advice) {
        super(problem, cause, advice);
    }

    /** Creates it with what is refused, what caused that, and what would help. */
    public RefusedException(String problem, @Nullable Throwable cause, List<Advice> advice) {
        super(problem, cause, advice);
    }

    /** Creates it from what a store refuses, in its words. */
    public RefusedException(StoreException refusal) {
        super(refusal.problem(), refusal, refusal.advice());
    }

    /** {@return the same refusal, with more to say before it} */
    public RefusedException after(String before) {
        return new RefusedException(before + problem(), this, advice());
    }
}
