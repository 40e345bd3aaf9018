package dev.rechunker.store;

import java.util.List;

/**
 * A failure that states separately what is wrong and what would help.
 *
 * <p>Implemented by exceptions. Their message is {@link Advice#message} of both.
 */
public interface Advised {
    /** {@return what is wrong, and where} */
    String problem();

    /** {@return what would help; empty if nothing is known} */
    List<Advice> advice();

    /** {@return what is wrong, without the advice of the failure} */
    static String problem(Throwable failure) {
        return failure instanceof Advised advised ? advised.problem() : StoreException.reason(failure);
    }
}
