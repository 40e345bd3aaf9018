package dev.rechunker.run;

import dev.rechunker.store.StoreException;

/** Thrown if the elements of a copy differ from those of its source; the message has the first difference. */
public final class VerificationException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception from the first difference and the names of both arrays. */
    public VerificationException(Difference difference, String source, String target) {
        super("the copy differs from its source: " + difference.of(source, target)
                + "; if no codec of the target is lossy, do not use " + target);
    }
}
