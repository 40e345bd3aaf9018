package dev.rechunker.store;

import java.util.List;

/**
 * A failure whose message says what is wrong, and then what would help; both are there as data, too.
 *
 * <p>Implemented by exceptions: {@code getMessage()} is {@link Advice#message} of the two.
 */
public interface Advised {
    /** {@return what is wrong, and where} */
    String problem();

    /** {@return what would help; empty if nothing is known} */
    List<Advice> advice();

    /** {@return what is wrong by a failure, without the advice that it carries} */
    static String problem(Throwable failure) {
        return failure instanceof Advised advised ? advised.problem() : StoreException.reason(failure);
    }
}
