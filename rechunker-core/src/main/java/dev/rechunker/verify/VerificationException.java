package dev.rechunker.verify;

import dev.rechunker.store.StoreException;

/** Says which element was not written as it was read. */
public final class VerificationException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates it of the first difference. */
    public VerificationException(Difference difference, String source, String target) {
        super("the copy is not the same as its source: " + difference.of(source, target)
                + "; a codec that changes elements does that, else " + target + " is not to be trusted");
    }
}
